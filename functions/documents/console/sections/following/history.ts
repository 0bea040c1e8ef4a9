import type { Language } from '../../../../../shared/ui/languages.ts';
import { isSameName } from '../../../domain/flow/certificate-holder.ts';
import type { readDocument } from '../../../domain/links/read-document.ts';
import { documentWords } from './document-words.ts';
import { stateWords } from './words.ts';

export type ReadDocument = Awaited<ReturnType<typeof readDocument>>;

type Happened = { readonly atMs: number; readonly text: string };

/** Everything that is known to have happened to a document, the newest first. */
export function historyOf(document: ReadDocument, language: Language): readonly Happened[] {
  const words = documentWords(language);
  const at = (date: string, text: string): Happened => ({ atMs: Date.parse(date), text });
  const acts = document.flowActions.flatMap(
    ({ type, completedBy, signRuleUsers, refusalReason, user, status, updateDate }) => [
      ...completedBy.map(({ date, name, certificate }) => {
        if (!type.startsWith('Sign')) return at(date, words.didApprove(name));
        const holder = certificate?.holderName ?? name;
        return at(date, isSameName(holder, name) ? words.didSign(name) : words.didSignAs(name, holder));
      }),
      ...signRuleUsers.flatMap((person) =>
        person.refusalDate
          ? [at(person.refusalDate, words.didRefuse(person.name, person.refusalReason ?? ''))]
          : [],
      ),
      ...(status === 'Refused' && user
        ? [at(updateDate, words.didRefuse(user.name, refusalReason ?? ''))]
        : []),
    ],
  );
  const mails = document.messages.map(({ kind, emailAddress, status, date, problem }) => {
    const name = kind === 'Invitation' || kind === 'Reminder' ? words[kind] : words.Notice;
    return at(date, `${name(emailAddress)}: ${words[status]}${problem ? ` (${problem})` : ''}.`);
  });
  const openings = document.actionUrls.flatMap(({ name, firstOpenedDate }) =>
    firstOpenedDate ? [at(firstOpenedDate, words.didOpen(name))] : [],
  );
  const changes = document.changes.map(({ kind, date, by, folderName }) =>
    at(date, kind === 'Versioned' ? words.didReplace(by.name) : words.didMove(by.name, folderName)),
  );
  const edits = document.flowEdits.map(({ date, by }) => at(date, words.didEdit(by.name)));
  return [
    at(document.creationDate, words.didSend(document.createdBy.name)),
    ...acts,
    ...changes,
    ...edits,
    ...mails,
    ...openings,
    ...endingOf(document, language),
  ].toSorted((one, other) => other.atMs - one.atMs);
}

function endingOf(
  { status, updateDate, expirationDate, statusUpdatedBy }: ReadDocument,
  language: Language,
): Happened[] {
  const [words, states] = [documentWords(language), stateWords(language)];
  if (status === 'Expired')
    return [{ atMs: Date.parse(expirationDate ?? updateDate), text: words.becomes(states.Expired) }];
  if (status === 'Concluded')
    return [{ atMs: Date.parse(updateDate), text: words.becomes(states.Concluded) }];
  if (status !== 'Canceled') return [];
  const text = statusUpdatedBy
    ? words.didEnd(statusUpdatedBy.name, states.Canceled)
    : words.becomes(states.Canceled);
  return [{ atMs: Date.parse(updateDate), text }];
}
