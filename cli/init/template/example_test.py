# Run it in this folder:
# uv run --no-project --with-requirements example_tools.py example_test.py
import unittest
from importlib import import_module

example = import_module("example_tools")


class ExampleTest(unittest.TestCase):
    def test_greet_speaks_three_languages(self):
        self.assertEqual(example.greet("Ana"), "Hello, Ana!")
        self.assertEqual(example.greet("Ana", language="fr"), "Bonjour, Ana!")

    def test_greet_refuses_an_unknown_language(self):
        with self.assertRaisesRegex(ValueError, "No greeting in 'xx'"):
            example.greet("Ana", language="xx")

    def test_measure_counts_words_and_characters(self):
        counts = example.measure("the more the merrier")
        self.assertEqual(counts, {"words": 4, "characters": 20})


if __name__ == "__main__":
    unittest.main()
