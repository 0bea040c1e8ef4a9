import type { Output } from '../shared/command-line/output.ts';
import { causeOf } from '../shared/command-line/reason.ts';
import { type Certificate, CertificateMalformed } from '../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../shared/pki/icp-brasil/icp-brasil.ts';
import { displayName } from '../shared/pki/verdict/words.ts';
import { PROOF_DIGEST, proofHash } from '../shared/workstation/certificate-proof.ts';
import { RegisteredCertificates } from '../shared/workstation/messages.ts';
import type { Identity } from './identity.ts';
import { turns } from './in-turn.ts';
import { type Contents, type KeyStore, KeyUnusable, PinRejected } from './keys/key-store.ts';
import type { PinKeeper } from './pin-keeper.ts';
import { type Proven, recall, remember } from './remembered.ts';
import { ask, ServerRefused } from './server.ts';

type Wish = {
  readonly identity: Identity;
  readonly dataDir: string;
  readonly store: KeyStore;
  readonly keeper: PinKeeper;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** The PIN is needed to present a certificate, and none is in use. */
  readonly needPin: (holder: string | undefined) => void;
};

export type Registrar = ReturnType<typeof registrarOf>;

const TELL_WITHIN_MS = 15_000;
// Who says no says no again: it is asked again in case somebody has mended it.
const REFUSED_FOR_MS = 30_000;

/** Only those that name a person's CPF: a token holds its authorities' certificates too. */
function isHolders(certificate: Certificate): boolean {
  try {
    return icpBrasilIdentity(certificate).cpf !== undefined;
  } catch (error) {
    if (error instanceof CertificateMalformed) return false;
    throw error;
  }
}

/** Keeps the server told of the certificates that are here, each with the proof that its key is. */
export function registrarOf({ identity, dataDir, store, keeper, output, signal, needPin }: Wish) {
  const place = { dataDir, agentId: identity.agentId };
  const inTurn = turns();
  const keyless = new Set<string>();
  let contents: Contents | undefined;
  let looked = false;
  let held: readonly Proven[] = [];
  let told: string | undefined;
  let asked: string | undefined;
  let complained: string | undefined;
  let refusedUntilMs = 0;

  const prove = async (certificate: Certificate, pin: string): Promise<Proven[]> => {
    const { sha256 } = certificate;
    try {
      const hash = proofHash(identity.agentId, sha256);
      return [{ certificate, proof: await store.sign({ sha256, digest: PROOF_DIGEST, hash }, pin) }];
    } catch (error) {
      // Tried again at every look, a PIN that is not the token's any more would lock it.
      if (error instanceof PinRejected) keeper.refusedInUse();
      if (!(error instanceof KeyUnusable)) throw error;
      keyless.add(sha256);
      output.printError(`The certificate of ${displayName(certificate)} is left out: ${error.message}`);
      return [];
    }
  };

  /** What can be proven, and whether a PIN is needed for more. */
  const provable = async ({ source, certificates }: Contents): Promise<readonly Proven[] | 'need-pin'> => {
    const known = recall(place, source);
    if (!certificates) return known.length > 0 ? known : 'need-pin';
    const wanted = certificates.filter((each) => isHolders(each) && !keyless.has(each.sha256));
    const proofOf = ({ sha256 }: Certificate) => known.find((each) => each.certificate.sha256 === sha256);
    const missing = wanted.filter((each) => !proofOf(each));
    const pin = keeper.inUse();
    if (missing.length > 0 && pin === undefined) return 'need-pin';
    const made = pin === undefined ? [] : await Promise.all(missing.map((each) => prove(each, pin)));
    const all = [...wanted.flatMap((each) => proofOf(each) ?? []), ...made.flat()];
    if (made.length > 0) remember(place, source, all);
    return all;
  };

  const tell = async (): Promise<void> => {
    const names = JSON.stringify(held.map(({ certificate }) => certificate.sha256));
    if (names === told || Date.now() < refusedUntilMs) return;
    const { certificates } = await ask(identity, {
      path: '/agent/certificates',
      body: {
        certificates: held.map(({ certificate, proof }) => ({
          der: certificate.der.toString('base64'),
          proof: proof.toString('base64'),
        })),
      },
      answers: RegisteredCertificates,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TELL_WITHIN_MS)]),
    }).catch((error) => {
      if (error instanceof ServerRefused) refusedUntilMs = Date.now() + REFUSED_FOR_MS;
      throw error;
    });
    told = names;
    const isTaken = ({ sha256 }: Certificate) => certificates.some((each) => each.sha256 === sha256);
    for (const { certificate } of held)
      if (isTaken(certificate)) output.print(`Offering the certificate of ${displayName(certificate)}.`);
      else
        output.printError(
          `The certificate of ${displayName(certificate)} is not one that this agent was enrolled for.`,
        );
    if (held.length === 0) output.print('No certificate is offered.');
  };

  /** Another token, or another file in its place, has another PIN. */
  const see = (seen: Contents | undefined): void => {
    if (!looked && !seen) output.print(`${store.name} is not there. Put it in.`);
    looked = true;
    if (contents && contents.source !== seen?.source) {
      keeper.forget();
      keyless.clear();
      output.print(
        `${store.name} is ${seen ? 'another one than before' : 'not there'}: its PIN is not in use any more.`,
      );
    }
    contents = seen;
  };

  const refresh = async (): Promise<void> => {
    const seen = await store.look();
    see(seen);
    const found = seen ? await provable(seen) : [];
    if (found === 'need-pin') {
      held = [];
      const [first] = seen?.certificates?.filter(isHolders) ?? [];
      // Once for each token or file: a holder who skipped it is not asked again and again.
      if (asked !== seen?.source) needPin(first && displayName(first));
      asked = seen?.source;
    } else held = found;
    await tell();
  };

  return {
    held: (): readonly Certificate[] => held.map(({ certificate }) => certificate),
    lastTry: (): boolean => contents?.lastTry ?? false,
    /** Looks again. What fails is said once, and tried at every look. */
    refresh: (): Promise<void> =>
      inTurn(async () => {
        try {
          await refresh();
          complained = undefined;
        } catch (error) {
          const reason = causeOf(error);
          if (!signal.aborted && reason !== complained)
            output.printError(`The certificates could not be offered: ${reason}`);
          complained = reason;
        }
      }),
  };
}
