/** Names of the platform, which a program has without a declaration. */

const LANGUAGE =
  "Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol " +
  "Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError " +
  "TypeError URIError SuppressedError globalThis JSON Math Intl ArrayBuffer SharedArrayBuffer " +
  "Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array " +
  "BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt " +
  "Set Iterator AsyncIterator WeakMap WeakSet Proxy Reflect FinalizationRegistry WeakRef " +
  "decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN " +
  "Temporal DisposableStack AsyncDisposableStack WebAssembly arguments";

const PLATFORM =
  "console Deno queueMicrotask AbortController AbortSignal Blob ByteLengthQueuingStrategy " +
  "CloseEvent CompressionStream CountQueuingStrategy CryptoKey CustomEvent DecompressionStream " +
  "DOMException DOMMatrix DOMMatrixReadOnly DOMPoint DOMPointReadOnly DOMQuad DOMRect " +
  "DOMRectReadOnly ErrorEvent Event EventTarget File FileReader FormData Headers ImageData " +
  "ImageBitmap MessageEvent MessageChannel MessagePort Performance PerformanceEntry " +
  "PerformanceMark PerformanceMeasure PerformanceObserver PromiseRejectionEvent ProgressEvent " +
  "ReadableStream ReadableStreamDefaultReader ReadableStreamDefaultController " +
  "ReadableByteStreamController ReadableStreamBYOBReader ReadableStreamBYOBRequest Request " +
  "Response TextDecoder TextEncoder TextDecoderStream TextEncoderStream TransformStream " +
  "TransformStreamDefaultController URL URLPattern URLSearchParams WebSocket WritableStream " +
  "WritableStreamDefaultWriter WritableStreamDefaultController atob btoa createImageBitmap " +
  "setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate crypto Crypto " +
  "SubtleCrypto fetch EventSource performance process Buffer global reportError structuredClone " +
  "navigator Navigator location Location self window name close closed addEventListener " +
  "removeEventListener dispatchEvent onerror onload onunload onbeforeunload onunhandledrejection";

/** Names of browsers, and names of Deno that the sandbox removes. */
const ABSENT: ReadonlySet<string> = new Set(
  ("localStorage sessionStorage Storage indexedDB caches CacheStorage Cache document history " +
    "screen frameElement visualViewport customElements alert confirm prompt " +
    "matchMedia getComputedStyle getSelection " +
    "requestAnimationFrame cancelAnimationFrame requestIdleCallback cancelIdleCallback " +
    "XMLHttpRequest DOMParser XMLSerializer MutationObserver Image Audio Notification Worker " +
    "SharedWorker BroadcastChannel OffscreenCanvas cookieStore speechSynthesis importScripts")
    .split(" "),
);

const GLOBALS: ReadonlySet<string> = new Set(`${LANGUAGE} ${PLATFORM}`.split(" "));

/** Tells whether the platform gives a program this name. */
export function isGlobal(name: string): boolean {
  return GLOBALS.has(name);
}

/** Tells whether a name exists on other platforms but not in the sandbox. */
export function isAbsent(name: string): boolean {
  return ABSENT.has(name);
}

/** Tells whether an assignment to an undeclared name sets a variable of the platform. */
export function isAssignable(name: string): boolean {
  return /^(?:on(?:error|load|unload|beforeunload|unhandledrejection)|globalThis|undefined|NaN|Infinity|arguments)$/
    .test(name);
}
