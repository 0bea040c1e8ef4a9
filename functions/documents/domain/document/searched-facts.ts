import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import type { Document } from './document.ts';

// What lists are filtered by, beside their views. An entry of a list holds it as facts, each with a letter for its kind
// before it, so that a filter reads entries and no documents:
//
//   ['#', 'r', 'nContract', 'ncontract.pdf', 'tyear|2026', 'pAna Souza', 'i52998224725', 'eana@sandbox.example', 'cshop']
//
// The first fact says that the others are written so. Entries without it are older: their documents are read.
const TYPED = '#';

const KINDS = {
  /** That the document is in no folder. */
  root: 'r',
  /** Of the document, and of its file. */
  name: 'n',
  /** As label|value; either may be empty. */
  tag: 't',
  participant: 'p',
  identifier: 'i',
  email: 'e',
  phone: 'h',
  creator: 'c',
} as const;

export type FactKind = keyof typeof KINDS;
export type Fact = { readonly kind: FactKind; readonly text: string };

/** The fields of a document that filters look at. */
export type SearchedField = 'name' | 'original' | 'flow' | 'tags' | 'folderId' | 'createdBy';
type Searched = Pick<Document, SearchedField>;

/** The facts of a document, the most useful first: of a large one an entry has no room for all. */
export const searchedFacts = ({ name, original, flow, tags, folderId, createdBy }: Searched): Fact[] => [
  ...(folderId === null ? [{ kind: 'root', text: '' } as const] : []),
  ...[name, original.name].map((text) => ({ kind: 'name', text }) as const),
  ...tags.map(({ label, value }) => ({ kind: 'tag', text: `${label ?? ''}|${value ?? ''}` }) as const),
  ...flow.flatMap(({ people }) =>
    people.flatMap((person) =>
      [
        { kind: 'participant', text: person.name } as const,
        { kind: 'identifier', text: person.identifier ?? '' } as const,
        { kind: 'email', text: person.emailAddress ?? '' } as const,
        { kind: 'phone', text: person.phone ?? '' } as const,
      ].filter(({ text }) => text !== ''),
    ),
  ),
  { kind: 'creator', text: createdBy.name },
];

/** The same as an entry holds them. */
export const factsOf = (document: Searched): string[] => [
  TYPED,
  ...searchedFacts(document).map(({ kind, text }) => KINDS[kind] + text),
];

const KIND_OF = new Map<string, FactKind>(
  Object.entries(KINDS).map(([kind, letter]) => [letter, kind as FactKind]),
);

/** The facts of an entry, and whether they are all of its document. Undefined for an entry that is older. */
export function readFacts({ facts, hasAllFacts }: Pick<ListedEntry, 'facts' | 'hasAllFacts'>) {
  const [first, ...rest] = facts;
  if (first !== TYPED) return undefined;
  const read = rest.flatMap((fact): Fact[] => {
    const kind = KIND_OF.get(fact.charAt(0));
    return kind ? [{ kind, text: fact.slice(1) }] : [];
  });
  return { facts: read, hasAll: hasAllFacts };
}
