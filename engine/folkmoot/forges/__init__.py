"""Where players meet: pull requests, reviews and comments, as a forge keeps them."""
