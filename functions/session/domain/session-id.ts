import { createHash } from 'node:crypto';
import { newSecret } from '../../../shared/access/secrets.ts';

/** A session's identifier: where to look, and the proof that one may. Anyone who holds it can use the session. */
export type SessionId = string & { readonly __brand: 'SessionId' };

/** The two halves of an identifier. `locator` finds the item; of `secret` the store keeps only a hash. */
export type SessionIdParts = { readonly locator: string; readonly secret: string };

const LOCATOR_CHARACTERS = 22; // 128 bits: two holders never meet
const SECRET_CHARACTERS = 43; // 256 bits: nobody guesses one
const SHAPE = new RegExp(`^([\\w-]{${LOCATOR_CHARACTERS}})([\\w-]{${SECRET_CHARACTERS}})$`);

/** Where a CPF's one session is kept. Whoever holds the identifier knows the CPF: no secret rests on this half. */
export const locatorOf = (cpf: string): string =>
  createHash('sha256').update(`session:${cpf}`).digest('base64url').slice(0, LOCATOR_CHARACTERS);

export const newSessionId = (cpf: string): SessionId => `${locatorOf(cpf)}${newSecret()}` as SessionId;

/** The halves of what a caller sent, or nothing where it is no identifier of ours. */
export function parseSessionId(text: string): SessionIdParts | undefined {
  const [, locator, secret] = SHAPE.exec(text) ?? [];
  return locator && secret ? { locator, secret } : undefined;
}

/** The identifier that has these halves. */
export const sessionIdOf = ({ locator, secret }: SessionIdParts): SessionId =>
  `${locator}${secret}` as SessionId;
