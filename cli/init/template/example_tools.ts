// Every exported function of this file is a tool: `example.greet(name="Ana")`.
// The header names packages from npm, and the permissions that the configuration must grant.
// /// script
// dependencies = []
//
// [permissions]
// net = []
// ///

/** Counts of a text. */
export interface Measures {
  words: number;
  characters: number;
}

/**
 * Greets a person.
 * @param name Name of the person
 * @param language Language of the greeting
 */
export function greet(name: string, language: "en" | "de" | "fr" = "en"): string {
  const greetings = { en: "Hello", de: "Hallo", fr: "Bonjour" };
  return `${greetings[language]}, ${name}!`;
}

/**
 * Counts the words and characters of a text.
 * @param text Text to measure
 */
export function measure(text: string): Measures {
  return { words: text.match(/\S+/g)?.length ?? 0, characters: [...text].length };
}
