/**
 * Keeps React working on a page that a browser translator or an extension has changed. They wrap text nodes of React in
 * elements of their own, or replace them. React then fails with a DOM error when it removes such a node or inserts
 * another one before it (https://github.com/facebook/react/issues/11538), and the page disappears.
 */

/** The element that a translator has put in the place of a removed text node. */
const replacements = new WeakMap<Node, Element>();

/** The texts of each replacement, in their order on the page. */
const replacedTexts = new WeakMap<Element, readonly Text[]>();

/** Translators use this element, which the console never creates. */
const isTranslation = (node: Node | null): node is Element => node?.nodeName === 'FONT';

/**
 * A translator adds its element in the mutation that removes the text, or in one just before, beside the text. Elements of
 * earlier batches are not considered: React may have removed the text beside them.
 */
const rememberReplacements = (records: readonly MutationRecord[]): void => {
  const added = new Set<Node>();
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const node of addedNodes) added.add(node);
    const candidates = [...addedNodes, previousSibling, nextSibling]
      .filter(isTranslation)
      .filter((node) => added.has(node));
    // The element before the text can be the translation of the text before it.
    const replacement = candidates.find((node) => !replacedTexts.has(node)) ?? candidates[0];
    if (replacement === undefined) continue;
    for (const node of removedNodes) {
      if (!(node instanceof Text) || node.isConnected) continue;
      replacements.set(node, replacement);
      replacedTexts.set(replacement, [...(replacedTexts.get(replacement) ?? []), node]);
    }
  }
};

/** Puts all texts of a replacement in its place. The translator translates them again. */
const restoreTexts = (replacement: Element): void => {
  const texts = (replacedTexts.get(replacement) ?? []).filter((text) => !text.isConnected);
  replacedTexts.delete(replacement);
  for (const text of texts) replacements.delete(text);
  replacement.replaceWith(...texts);
};

/** Returns the replacement of a text that is not on the page, or undefined. */
const findReplacement = (node: Node): Element | undefined =>
  node.isConnected ? undefined : replacements.get(node);

/** Returns the child of `parent` that contains `node` or its translation; null if there is none. */
const findChildWith = (parent: Node, node: Node): Node | null => {
  let current: Node | null = findReplacement(node) ?? node;
  while (current !== null && current.parentNode !== parent) current = current.parentNode;
  return current;
};

/** Installs the protection. Call once per document, before the first render. */
export const protectFromForeignNodes = (): void => {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    // The replacement can have the words of other texts, which stay.
    const replacement = findReplacement(child);
    if (replacement !== undefined) restoreTexts(replacement);
    const present = findChildWith(this, child);
    child.parentNode?.removeChild(child);
    // A wrapper stays until its last text is removed.
    if (present !== null && present !== child && present.textContent === '') removeChild.call(this, present);
    return child;
  };
  /** If the reference is gone, the node is inserted as the last child. */
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    node: Child,
    reference: Node | null,
  ): Child {
    const isForeign = reference !== null && reference.parentNode !== this;
    return insertBefore.call(this, node, isForeign ? findChildWith(this, reference) : reference) as Child;
  };
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Text, value: string | null) {
      // React changes a text that a translator removed: the new text is shown, and is translated again.
      const replacement = findReplacement(this);
      nodeValue?.set?.call(this, value);
      if (replacement !== undefined) restoreTexts(replacement);
    },
  });
  new MutationObserver(rememberReplacements).observe(document, { childList: true, subtree: true });
};
