/** The places of a signature by an element: in it, last or first, or beside it, behind or before. */
export const INSERTIONS = ['AppendChild', 'PrependChild', 'AppendSibling', 'PrependSibling'] as const;
export type Insertion = (typeof INSERTIONS)[number];

/** Whether a signature stands beside the element, in the element around it. */
export const isSibling = (insertion: Insertion): boolean => insertion.endsWith('Sibling');
