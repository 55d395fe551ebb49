/** Keys that are data rather than names of fields: ids, dates, addresses. */

const LONGEST = 64;
const PATTERNS = [
  // Numbers, dates, times, versions, IP addresses.
  /^[+-]?\d[\d\s.,:/+TZ-]*$/,
  /^\d{4}-\d{2}/,
  /^(?=.*:.*:)[\da-f:]+$/i,
  // Hashes and UUIDs.
  /^(?=.*\d)[\da-f]{8,}$/i,
  /^0x[\da-f]+$/i,
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i,
  // `PROJ-123`, `cus_9s6XKzkNRiz8i3`, `U012AB3CD`, tokens.
  /^[A-Z][A-Z\d]*-\d+$/,
  /^[A-Za-z]{1,12}[_-](?=(?:[A-Za-z]*\d){3})[A-Za-z\d]{4,}$/,
  /^(?=(?:[A-Z]*\d){2})[A-Z\d]{8,}$/,
  /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]{16,}$/,
  // Addresses of mail, pages and hosts; paths.
  /@.*\./,
  /:\/\//,
  /^~?\//,
  /^[A-Za-z]:\\/,
  /^(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|dev|app|local)$/i,
];

/** Returns true for a key that no programmer would have chosen. */
export function isDataKey(key: string): boolean {
  return key === "" || key.length > LONGEST || PATTERNS.some((pattern) => pattern.test(key));
}
