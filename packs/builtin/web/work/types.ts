/** Types of the conversion of pages. */

export const FORMATS = ["markdown", "text", "html", "raw"] as const;

export interface ConvertInput {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly url: string;
  readonly format: typeof FORMATS[number];
  /** True for the main part only, without menus and the like. */
  readonly main: boolean;
  readonly images: boolean;
  readonly selector?: string;
}

export interface Link {
  readonly text: string;
  readonly url: string;
}

export interface About {
  readonly title: string | null;
  readonly byline: string | null;
  readonly site: string | null;
  readonly published: string | null;
  readonly language: string | null;
  readonly description: string | null;
}
