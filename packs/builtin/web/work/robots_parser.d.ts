/** Types of robots-parser, as far as it is used. */
declare function robotsParser(url: string, contents: string): {
  isAllowed(url: string, agent?: string): boolean | undefined;
};

export default robotsParser;
