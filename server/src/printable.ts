/**
 * Text of others for a terminal: nothing in it may steer the terminal.
 * @param most characters that are kept
 */
export const toTerminalText = (text: string, most = 80): string =>
  text.replace(/\p{C}/gu, '\ufffd').slice(0, most);
