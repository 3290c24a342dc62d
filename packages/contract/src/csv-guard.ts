/**
 * Text cells of CSV files that spreadsheet programs open. A program runs a cell that begins like a formula. It may also
 * split a line at its own separator, such as the semicolon, even inside quotation marks that do not begin one of its
 * cells. An apostrophe before the character that begins the formula prevents both
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */

/** Separators of spreadsheet programs in all locales, but the comma: it separates the cells of our files. */
const separator = '[;|\\t\\r\\n؛،；，]';

/** A cell with a match needs quotation marks, besides those that RFC 4180 demands. */
export const quotedMatch = new RegExp(separator);

/** The start of a cell, as any locale splits the line, before a formula and the apostrophes that it already has. */
const cellStart = `((?:^|${separator})(?:[^\\S\\t\\r\\n]|")*)`;
const formula = `(?='*[=+\\-@＝＋－＠])`;
const unguarded = new RegExp(cellStart + formula, 'g');
const guarded = new RegExp(`${cellStart}'${formula}`, 'g');

/** Returns the text with an apostrophe before each place that a spreadsheet program could run as a formula. */
export const guardFormulas = (text: string): string => text.replace(unguarded, "$1'");

/** Returns the text before `guardFormulas` added its apostrophes. */
export const removeFormulaGuards = (text: string): string => text.replace(guarded, '$1');
