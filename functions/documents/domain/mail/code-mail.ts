import { randomInt } from 'node:crypto';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import type { Letter, LetterPart } from '../../../../shared/mail/letter.ts';
import { getBoth } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { type StoredLink, tickets } from '../document/action-link.ts';
import { documentItems, type LocatedDocument } from '../document/document.ts';
import { keepSigningCode } from '../document/electronic-act.ts';
import { locateOpen } from '../document/location.ts';
import { type Person, partIdOf } from '../flow/flow.ts';
import { mailLanguageOf, senderBranding } from './branding.ts';
import type { CodeMail } from './mail-tasks.ts';

const codeWords = translations({
  // The list of a mailbox shows the subject, and often no more.
  title: {
    en: (code: string) => `${code} is your code to open a document`,
    'pt-BR': (code: string) => `${code} é seu código para abrir um documento`,
  },
  signingTitle: {
    en: (code: string) => `${code} is your code to sign a document`,
    'pt-BR': (code: string) => `${code} é seu código para assinar um documento`,
  },
  request: {
    en: (who: string) => `Type this code in the page of ${who} that asks for it.`,
    'pt-BR': (who: string) => `Digite este código na página de ${who} que o pede.`,
  },
  validity: {
    en: 'It is valid for 10 minutes. Nobody of ours asks you for it. If you did not ask for a code, ignore this message.',
    'pt-BR':
      'Vale por 10 minutos. Ninguém da nossa parte pede esse código a você. Se você não pediu um código, ignore esta mensagem.',
  },
});

const CODE_VALID_MS = 10 * 60_000;
const DIGITS = 6;

/** The holder of a link who asked for a code. */
export type CodeRecipient = LocatedDocument & {
  readonly task: CodeMail;
  readonly link: StoredLink;
  readonly person: Person;
};

/** Who gets a code; undefined where the link opens nothing any more, or they have waited for it in vain. */
export async function findCodeRecipient(task: CodeMail, nowMs: number): Promise<CodeRecipient | undefined> {
  const { documentId, hash, requestedAtMs } = task;
  const [document, link] = await getBoth([documentItems, documentId], [tickets, { documentId, hash }]);
  const isCurrent = link && link.round === document?.round && link.expiresAtMs > nowMs;
  if (!document || !isCurrent || nowMs - requestedAtMs > CODE_VALID_MS) return undefined;
  const action = document.flow.find(({ id }) => id === link.actionId);
  const person = action?.people.find((each) => partIdOf(each) === link.personId);
  const location = await locateOpen(document);
  return person && location ? { task, link, person, document, location } : undefined;
}

/** The hash of a code, which is of one link alone. */
export const hashCode = ({ hash }: Pick<StoredLink, 'hash'>, code: string): string =>
  hashSecret(`${hash}:${code}`);

/**
 * A message with a new code, which takes the place of the one before. The code is in the message alone: neither queue nor
 * store has it. An attempt to send it that failed is followed by another code.
 */
export async function composeCodeMail(recipient: CodeRecipient, nowMs: number): Promise<Letter> {
  const { task, person, location } = recipient;
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  await keepCode(recipient, code, nowMs);
  const branding = senderBranding(location.organization);
  const partOf = (language: Language): LetterPart => {
    const words = codeWords(language);
    return {
      title: (task.purpose ? words.signingTitle : words.title)(code),
      paragraphs: [words.request(branding.displayName)],
      notes: [words.validity],
    };
  };
  return {
    to: { name: person.name, address: person.emailAddress ?? '' },
    branding,
    parts: { en: partOf('en'), 'pt-BR': partOf('pt-BR') },
    language: mailLanguageOf(recipient),
    code,
  };
}

/** Keeps the hash of a code: of the link that it opens, or of the signature that is begun at the link. */
function keepCode({ task, link }: CodeRecipient, code: string, nowMs: number): Promise<unknown> {
  const { documentId, actionId, personId, hash: via } = link;
  if (task.purpose)
    return keepSigningCode({ documentId, actionId, personId, via, factor: 'Email' }, code, nowMs);
  return retryOnConflict(async () => {
    const current = await tickets.get({ documentId, hash: task.hash });
    const kept = { hash: hashCode(task, code), expiresAtMs: nowMs + CODE_VALID_MS, attempts: 0 };
    if (current) await tickets.change(current, { code: kept });
  });
}
