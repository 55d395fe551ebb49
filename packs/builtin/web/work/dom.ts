/** Types of the DOM, as far as it is used. */

export interface PageElement {
  readonly textContent: string | null;
  readonly nodeName: string;
  readonly parentNode: PageElement | null;
  readonly childNodes: ArrayLike<PageElement> & Iterable<PageElement>;
  innerHTML: string;
  append(...children: PageElement[]): void;
  cloneNode(deep: boolean): PageElement;
  contains(other: PageElement): boolean;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  remove(): void;
  removeAttribute(name: string): void;
  setAttribute(name: string, value: string): void;
}

export interface PageDocument {
  readonly title: string;
  readonly body: PageElement;
  readonly documentElement: PageElement;
  createElement(tag: string): PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
