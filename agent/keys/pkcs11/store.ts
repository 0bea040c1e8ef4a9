import { integer, sequence } from '../../../shared/der/write.ts';
import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { checkHash, digestInfo } from '../../../shared/signing/digest.ts';
import { serialQueue } from '../../serial-queue.ts';
import {
  type Contents,
  type HashToSign,
  type KeyStore,
  KeyUnusable,
  type PresentResult,
} from '../key-store.ts';
import { ckr, findToken, labelOf, openModule, serialOf, type Token, type TokenChoice } from './module.ts';
import { toStoreError, withSession } from './session.ts';

/**
 * The keys of a PKCS#11 token. Calls run one at a time: a login applies to everything that a program does with a token.
 * @example const store = pkcs11Store('/usr/lib/softhsm/libsofthsm2.so', { label: 'ana' });
 */
export function pkcs11Store(path: string, choice: TokenChoice): KeyStore {
  const module = openModule(path);
  const { constants: ck } = module;
  const first = findToken(module, choice);
  const inTurn = serialQueue();
  // Reading a card takes seconds: it is read once, when it is inserted.
  let read: Pick<Contents, 'source' | 'certificates'> | undefined;
  const readAll = async (token: Token, source: string) => {
    const held = await withSession(module, token, (session) => session.certificates());
    return { source, certificates: held.map(({ certificate }) => certificate) };
  };

  const present = async (token: Token, pin: string): Promise<PresentResult> => {
    if (token.info.flags & ck.CKF_USER_PIN_LOCKED) return { kind: 'locked' };
    try {
      return await withSession(module, token, (session) => {
        session.login(pin);
        const held = session.certificates().filter(({ id }) => session.hasKey(id));
        return { kind: 'accepted' as const, certificates: held.map(({ certificate }) => certificate) };
      });
    } catch (error) {
      const code = ckr(error);
      if (code === ck.CKR_PIN_LOCKED) return { kind: 'locked' };
      const rejected: unknown[] = [ck.CKR_PIN_INCORRECT, ck.CKR_PIN_INVALID, ck.CKR_PIN_LEN_RANGE];
      if (rejected.includes(code)) return { kind: 'rejected' };
      return { kind: 'unusable', reason: `The token cannot be used: ${(error as Error).message}.` };
    }
  };

  const sign = (token: Token, { sha256, digest, hash }: HashToSign, pin: string): Promise<Buffer> =>
    withSession(module, token, async (session) => {
      const found = session.certificates().find(({ certificate }) => certificate.sha256 === sha256);
      if (!found) throw new KeyUnusable('The token does not hold this certificate.');
      session.login(pin);
      if (isEc(found.certificate)) {
        checkHash(digest, hash);
        return toDerSignature(await session.sign(found.id, ck.CKM_ECDSA, hash, pin));
      }
      // CKM_RSA_PKCS pads its input and does not hash.
      return session.sign(found.id, ck.CKM_RSA_PKCS, digestInfo(digest, hash), pin);
    });

  return {
    name: first ? labelOf(first) : (choice.label ?? path),
    look: () =>
      inTurn(async () => {
        const token = findToken(module, choice) ?? afterRestart();
        const source = token && serialOf(token);
        if (source !== read?.source) read = token && source ? await readAll(token, source) : undefined;
        if (!token || !read) return undefined;
        return {
          ...read,
          lastTry: (token.info.flags & ck.CKF_USER_PIN_FINAL_TRY) !== 0,
        };
      }),
    present: (pin) =>
      inTurn(async () => {
        const token = findToken(module, choice);
        return token
          ? present(token, pin)
          : { kind: 'unusable', reason: 'The token is not there. Put it in.' };
      }),
    sign: (hash, pin) =>
      inTurn(async () => {
        const token = findToken(module, choice);
        if (!token) throw new KeyUnusable('The token is not there.');
        return sign(token, hash, pin).catch((error) => Promise.reject(toStoreError(module, error)));
      }),
    // Every login ends with its session, so nothing is open.
    lock: () => undefined,
    close: () => module.close(),
  };

  function afterRestart(): Token | undefined {
    module.restart();
    return findToken(module, choice);
  }
}

const isEc = ({ publicKey }: Certificate): boolean => publicKey.asymmetricKeyType === 'ec';

/** PKCS#11 concatenates r and s; X.509 has them as a SEQUENCE (RFC 3279). */
function toDerSignature(both: Buffer): Buffer {
  const half = both.length / 2;
  return sequence(integer(both.subarray(0, half)), integer(both.subarray(half)));
}
