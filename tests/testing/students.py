"""What a student hands in: the class of a common course assignment, done right."""

RIGHT = """
class PartialParse:
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack, self.buffer, self.dependencies = ["ROOT"], list(sentence), []

    def parse_step(self, transition):
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        elif transition == "LA":
            self.dependencies.append((self.stack[-1], self.stack.pop(-2)))
        else:
            self.dependencies.append((self.stack[-2], self.stack.pop()))
"""
