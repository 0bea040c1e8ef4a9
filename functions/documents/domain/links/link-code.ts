import { hasMailServer } from '../../../../shared/mail/queue.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { hit } from '../../../../shared/store/rate-window.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import {
  findLinkHolder,
  issuingTicket,
  type LinkCode,
  type LinkHolder,
  needsCode,
  tickets,
} from '../document/action-link.ts';
import { hashCode } from '../mail/code-mail.ts';
import { recordMail } from '../mail/send-mail.ts';
import { publicBrandingOf } from '../places/branding.ts';
import { embedOriginsOf } from '../places/embedding.ts';

// Codes that are sent for one link.
const MAX_CODES = 3;
const CODES_WINDOW_SECONDS = 600;

const MAX_ATTEMPTS = 5;

const isGood = (code: LinkCode | undefined, nowMs: number): code is LinkCode =>
  code !== undefined && code.expiresAtMs > nowMs && code.attempts < MAX_ATTEMPTS;

/** The holder of a link that shows nothing before a code. */
async function requireCodeHolder(key: string, ticket: string, nowMs: number): Promise<LinkHolder> {
  const holder = await findLinkHolder(key, ticket, nowMs);
  if (!needsCode(holder)) throw errors.refuse('InvalidTicket');
  return holder;
}

/** What the page that asks for a code shows: nothing of the document. */
export async function readCodeRequest(key: string, ticket: string, nowMs: number) {
  const { location, person, link } = await requireCodeHolder(key, ticket, nowMs);
  const attemptsLeft = isGood(link.code, nowMs) ? MAX_ATTEMPTS - link.code.attempts : 0;
  return {
    branding: location.organization ? publicBrandingOf(location.organization) : null,
    embedOrigins: embedOriginsOf(location.organization),
    address: person.emailAddress === null ? null : maskAddress(person.emailAddress),
    /** Of the code that was sent last; 0 where none is good. */
    attemptsLeft,
  };
}

/** An address that its owner knows again, and that others do not learn. */
const maskAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}•••${address.slice(at)}`;
};

/** Sends the holder of a link a code. The mail server is not waited for. */
export async function requestCode(key: string, ticket: string, now: () => number): Promise<void> {
  const { document, person, link } = await requireCodeHolder(key, ticket, now());
  if (person.emailAddress === null) throw errors.refuse('EmailAddressRequired');
  if (!hasMailServer(settings)) throw errors.refuse('MailNotEnabled');
  const window = { limit: MAX_CODES, windowSeconds: CODES_WINDOW_SECONDS, now };
  const { allowed, retryAfterSeconds } = await hit({
    ...{ service: 'documents', policy: 'link-code', client: link.hash },
    ...window,
  });
  if (!allowed)
    throw errors.refuse(
      'TooManyRequests',
      { retryAfterSeconds },
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  await recordMail({ task: 'code', documentId: document.id, hash: link.hash, requestedAtMs: now() }, now);
}

// Long enough to read and to sign. The link of the mail opens the document again, with another code.
const VERIFIED_MS = 2 * 3_600_000;

// Guesses at once are counted one by one, because each is a write on the version that was read:
//
//   guess 1  |--reads (0 attempts)--|--writes 1: wrong
//   guess 2  |--reads (0 attempts)------|--refused; reads (1)--|--writes 2: wrong
//
/** Exchanges a link and its code for a ticket that shows the document. */
export const verifyCode = (key: string, ticket: string, code: string, nowMs: number): Promise<string> =>
  retryOnConflict(async () => {
    const holder = await requireCodeHolder(key, ticket, nowMs);
    const { document, link } = holder;
    const sent = link.code;
    if (!isGood(sent, nowMs)) throw errors.refuse('CodeExpired');
    // Equal hashes tell no more about the code than a guess does.
    if (sent.hash !== hashCode(link, code.replace(/\s/g, ''))) {
      const attempts = sent.attempts + 1;
      await tickets.change(link, { code: { ...sent, attempts } });
      if (attempts >= MAX_ATTEMPTS) throw errors.refuse('CodeExpired');
      throw errors.refuse('CodeWrong', { attemptsLeft: MAX_ATTEMPTS - attempts });
    }
    const validMs = Math.min(VERIFIED_MS, link.expiresAtMs - nowMs);
    const verified = issuingTicket(document, holder, nowMs, {
      isVerified: true,
      issuedBy: link.issuedBy,
      validMs,
    });
    await commit([tickets.changing(link, { code: undefined }), verified.write]);
    return verified.ticket;
  });
