"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const command = vscode.workspace.getConfiguration("arcproof").get("command");
  const server = { command, args: ["lsp"] };
  client = new LanguageClient("arcproof", "arcproof", server, { documentSelector: [{ language: "arcproof" }] });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `arcproof: ${command} lsp does not start (${error.message}); install it with pip install 'arcproof[editors]', or set arcproof.command`,
    );
  }
};

exports.deactivate = () => client && client.stop();
