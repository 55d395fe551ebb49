/** The part of robots-parser that is used. */
declare function robotsParser(url: string, contents: string): {
  isAllowed(url: string, agent?: string): boolean | undefined;
};

export default robotsParser;
