"""What is claimed of a system, and the engines that check it."""
