/**
 * Keeps React working on a page that a browser translator or an extension has changed. They wrap text nodes of React in
 * elements of their own, or replace them. React then fails with a DOM error when it removes such a node or inserts
 * another one before it (https://github.com/facebook/react/issues/11538), and the page disappears.
 */

/** The element that a translator has put in the place of a removed text node. */
const replacements = new WeakMap<Node, Node>();

/** Translators use this element, which the console never creates. */
const isTranslation = (node: Node | null | undefined): node is Node => node?.nodeName === 'FONT';

const rememberReplacements = (records: readonly MutationRecord[]): void => {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const replacement = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
    for (const node of replacement === undefined ? [] : removedNodes) {
      if (node instanceof Text && !node.isConnected) replacements.set(node, replacement as Node);
    }
  }
};

/** Returns the child of `parent` that contains `node` or its translation; null if there is none. */
const findChildWith = (parent: Node, node: Node): Node | null => {
  let current: Node | null = node.isConnected ? node : (replacements.get(node) ?? null);
  while (current !== null && current.parentNode !== parent) current = current.parentNode;
  return current;
};

/** Installs the protection. Call once per document, before the first render. */
export const protectFromForeignNodes = (): void => {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    const present = findChildWith(this, child);
    child.parentNode?.removeChild(child);
    // The translation of several texts stays until the last of them is removed.
    if (present !== null && (replacements.get(child) === present || present.textContent === ''))
      removeChild.call(this, present);
    return child;
  };
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
      // A new text takes its place again, and is translated next.
      const replacement = this.isConnected ? undefined : replacements.get(this);
      nodeValue?.set?.call(this, value);
      replacement?.parentNode?.replaceChild(this, replacement);
    },
  });
  new MutationObserver(rememberReplacements).observe(document, { childList: true, subtree: true });
};
