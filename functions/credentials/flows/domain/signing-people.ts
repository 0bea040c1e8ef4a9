import type { Deadline } from '../../../../shared/async/deadline.ts';
import { PlatformRefused } from '../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../shared/platform/shapes.ts';
import type { SigningPerson } from '../../items/domain/item.ts';
import type { InstituteSigner } from '../../tenants/domain/organization.ts';
import { platform } from './platform.ts';

// The words of the platform for an action that waits for others, and for one whose turn it is.
const WAITING = 'Created';
const PENDING = 'Pending';

// A link lasts seven days at the platform. Looks are at most an hour apart, so that each is renewed in time.
const LINK_RENEWED_MS = 6 * 86_400_000;

type Link = Pick<SigningPerson, 'url' | 'urlAtMs'>;
const NO_LINK: Link = { url: null, urlAtMs: null };

/** The people whom a new document asks, each with the link by which they sign where it is their turn. */
export async function askedPeople(
  documentId: string,
  signers: readonly InstituteSigner[],
  deadline: Deadline,
): Promise<SigningPerson[]> {
  const firstStep = Math.min(...signers.map(({ step }) => step));
  const people: SigningPerson[] = [];
  for (const { name, cpf, email, step } of signers) {
    const isTurn = step === firstStep;
    const link = isTurn ? await linkFor(documentId, { cpf, email }, deadline) : NO_LINK;
    people.push({ name, cpf, step, status: isTurn ? PENDING : WAITING, ...link });
  }
  return people;
}

// A new version of the document begins its flow again, and the links of the flow before open nothing:
//
//   platform  |--pending-----------------------|new version: pending again|------------
//   link         |made-- opens the document ---|-- opens nothing --|look: made again|--

/**
 * The same people as the platform shows them now. The link of each is asked for when it is their turn, again before it
 * ends, and again where their turn has begun anew.
 */
export async function peopleNow(
  { id, flowActions }: PlatformDocument,
  people: readonly SigningPerson[],
  deadline: Deadline,
): Promise<SigningPerson[]> {
  const now: SigningPerson[] = [];
  for (const person of people) {
    const { cpf, url, urlAtMs } = person;
    const action = flowActions.find(({ cpfs }) => cpfs.includes(cpf));
    const status = action?.status ?? person.status;
    const isTurn = status === PENDING;
    const madeAtMs = urlAtMs ?? 0;
    const isFresh =
      url !== null &&
      deadline.now() < madeAtMs + LINK_RENEWED_MS &&
      madeAtMs >= (action?.pendingSinceMs ?? 0);
    const link = !isTurn ? NO_LINK : isFresh ? { url, urlAtMs } : await linkFor(id, { cpf }, deadline);
    now.push({ ...person, status, ...link });
  }
  return now;
}

/** Where a person signs. None where they have not to any more. */
async function linkFor(
  documentId: string,
  person: { readonly cpf: string; readonly email?: string },
  deadline: Deadline,
): Promise<Link> {
  try {
    return { url: await platform.actionUrl(documentId, person, deadline), urlAtMs: deadline.now() };
  } catch (error) {
    if (error instanceof PlatformRefused) return NO_LINK;
    throw error;
  }
}
