# Every function of this file is a tool: `example.greet(name="Ana")`.
# The header names packages from PyPI; uv installs them.
# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///


def greet(name: str, language: str = "en") -> str:
    """Greets a person.

    Args:
        name: Name of the person
        language: Language of the greeting: en, de or fr
    """
    greetings = {"en": "Hello", "de": "Hallo", "fr": "Bonjour"}
    if language not in greetings:
        raise ValueError(f"No greeting in {language!r}: there are {', '.join(greetings)}")
    return f"{greetings[language]}, {name}!"


def measure(text: str) -> dict:
    """Counts the words and characters of a text.

    Args:
        text: Text to measure
    """
    return {"words": len(text.split()), "characters": len(text)}
