import { containsText } from '../../../../shared/store/lists/contains-text.ts';
import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import type { DocumentsFilter } from '../../contract/documents.ts';
import type { Document } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import { type Fact, type FactKind, readFacts, searchedFacts } from '../document/searched-facts.ts';
import { kindOf, openAssignments } from '../flow/flow.ts';

/** One condition on the facts of a document: one of these kinds passes the test. */
type Condition = { readonly kinds: readonly FactKind[]; readonly test: (text: string) => boolean };

// Without a kind of query, `q` looks at what it always did.
const QUERY_KINDS = {
  any: ['name', 'participant', 'identifier', 'email'],
  Name: ['name'],
  CreatorName: ['creator'],
  Tag: ['tag'],
} as const satisfies Record<string, readonly FactKind[]>;

const PARTICIPANT_KINDS = {
  any: ['participant', 'identifier', 'email', 'phone'],
  Name: ['participant'],
  Identifier: ['identifier'],
  Email: ['email'],
  Phone: ['phone'],
} as const satisfies Record<string, readonly FactKind[]>;

// A CPF and a telephone number are the same with and without punctuation.
const digitsOf = (text: string): string => text.replace(/[^\d]/g, '');

const contains = (kinds: readonly FactKind[], searched: string): Condition => ({
  kinds,
  test: (text) => containsText(searched, [text]),
});

const containsDigits = (kinds: readonly FactKind[], searched: string): Condition => {
  const digits = digitsOf(searched);
  return { kinds, test: (text) => digits !== '' && digitsOf(text).includes(digits) };
};

// The first ten count, as in other platforms.
const MAX_TAGS = 10;

/** A document has every tag that is asked for: by label and value, or by either alone. */
const tagConditions = (tags: string): Condition[] =>
  tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && tag !== '|')
    .slice(0, MAX_TAGS)
    .map((tag) => ({
      kinds: ['tag'],
      test: (text) =>
        tag.includes('|')
          ? isSame(text, tag)
          : isSame(text, `${tag}|`) || isSame(text.split('|').at(-1), tag),
    }));

const isSame = (one: string | undefined, other: string): boolean =>
  one !== undefined && one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

/** The addresses and CPFs of the person whom documents are to wait for. */
const awaitedIn = ({ waitingFor = '' }: Pick<DocumentsFilter, 'waitingFor'>): readonly string[] =>
  waitingFor
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

const isAnyOf = (names: readonly string[], text: string | null): boolean =>
  text !== null &&
  names.some((name) => (name.includes('@') ? isSame(text, name) : digitsOf(text) === digitsOf(name)));

function conditionsOf(request: DocumentsFilter): Condition[] {
  const { q, queryType, participantQ, participantQueryType: participantType, tags, folderType } = request;
  const awaited = awaitedIn(request);
  const isNumber = participantType === 'Identifier' || participantType === 'Phone';
  const participant = participantQ && (isNumber ? containsDigits : contains);
  const query = queryType === 'Id' || queryType === 'Key' ? undefined : (queryType ?? 'any');
  return [
    ...(q && query ? [contains(QUERY_KINDS[query], q)] : []),
    ...(participant ? [participant(PARTICIPANT_KINDS[participantType ?? 'any'], participantQ ?? '')] : []),
    ...tagConditions(tags ?? ''),
    // An entry without them needs no look at its document.
    ...(awaited.length > 0
      ? [{ kinds: ['email', 'identifier'] as const, test: (text: string) => isAnyOf(awaited, text) }]
      : []),
    ...(folderType === 'WithoutFolder' ? [{ kinds: ['root'] as const, test: () => true }] : []),
  ];
}

const isMet = ({ kinds, test }: Condition, facts: readonly Fact[]): boolean =>
  facts.some(({ kind, text }) => kinds.includes(kind) && test(text));

/** The filter on documents, and on entries as far as their facts tell. None when every document is asked for. */
export function filterOf(request: DocumentsFilter) {
  const { status, isConcluded, filterByPendingSignature } = request;
  const conditions = conditionsOf(request);
  // `isConcluded` beside a contradicting `status` still applies: an extra filter never makes a list longer.
  const checksConcluded = status !== undefined && isConcluded !== undefined;
  const awaited = awaitedIn(request);
  const checksDocument = filterByPendingSignature || checksConcluded || awaited.length > 0;
  if (conditions.length === 0 && !checksDocument) return {};
  return {
    matches: (document: Document): boolean =>
      (!filterByPendingSignature || awaitsSignature(document)) &&
      (awaited.length === 0 || awaits(document, awaited)) &&
      (!checksConcluded || (document.state === 'Concluded') === isConcluded) &&
      conditions.every((condition) => isMet(condition, searchedFacts(document))),
    entryMatches(entry: ListedEntry): boolean | undefined {
      const read = readFacts(entry);
      if (!read) return undefined;
      const areMet = conditions.every((condition) => isMet(condition, read.facts));
      if (areMet) return checksDocument ? undefined : true;
      return read.hasAll ? false : undefined;
    },
  };
}

const awaitsSignature = ({ state, flow }: Document): boolean =>
  documentStates.accepts(state, 'acted') &&
  openAssignments(flow).some(({ action }) => kindOf(action) === 'signature');

const awaits = ({ state, flow }: Document, names: readonly string[]): boolean =>
  documentStates.accepts(state, 'acted') &&
  openAssignments(flow).some(
    ({ person }) => isAnyOf(names, person.emailAddress) || isAnyOf(names, person.identifier),
  );
