import type { Output } from '../shared/command-line/output.ts';
import { causeOf } from '../shared/command-line/reason.ts';
import { unlessThrown } from '../shared/errors/expected.ts';
import { type Certificate, CertificateMalformed } from '../shared/pki/certificate/certificate.ts';
import { displayName } from '../shared/pki/findings/display.ts';
import { icpBrasilIdentity } from '../shared/pki/icp-brasil/icp-brasil.ts';
import { PROOF_DIGEST, proofHash } from '../shared/workstation/certificate-proof.ts';
import { RegisteredCertificates } from '../shared/workstation/messages.ts';
import type { Identity } from './identity.ts';
import { type Contents, type KeyStore, KeyUnusable, PinRejected } from './keys/key-store.ts';
import type { PinKeeper } from './pin-keeper.ts';
import { type Proven, recall, remember } from './remembered.ts';
import { serialQueue } from './serial-queue.ts';
import { ServerRefused, send } from './server.ts';

type RegistrarOptions = {
  readonly identity: Identity;
  readonly dataDir: string;
  readonly store: KeyStore;
  readonly keeper: PinKeeper;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Called when the PIN is needed to register a certificate, and none is in use. */
  readonly needPin: (holder: string | undefined) => void;
};

export type Registrar = ReturnType<typeof registrarOf>;

const REGISTER_TIMEOUT_MS = 15_000;
// A refusal stays until somebody changes something at the server.
const RETRY_REFUSED_MS = 30_000;

/** Whether a certificate names a person's CPF: a token holds its authorities' certificates too. */
function isOfPerson(certificate: Certificate): boolean {
  return unlessThrown(CertificateMalformed, () => icpBrasilIdentity(certificate).cpf !== undefined) ?? false;
}

/** Registers the certificates at this workstation with the server, each with a proof that its key is here. */
export function registrarOf({ identity, dataDir, store, keeper, output, signal, needPin }: RegistrarOptions) {
  const memory = { dataDir, agentId: identity.agentId };
  const inTurn = serialQueue();
  const keyless = new Set<string>();
  let contents: Contents | undefined;
  let hasLooked = false;
  let held: readonly Proven[] = [];
  let registered: string | undefined;
  let askedSource: string | undefined;
  let lastProblem: string | undefined;
  let refusedUntilMs = 0;

  const prove = async (certificate: Certificate, pin: string): Promise<Proven[]> => {
    const { sha256 } = certificate;
    try {
      const hash = proofHash(identity.agentId, sha256);
      return [{ certificate, proof: await store.sign({ sha256, digest: PROOF_DIGEST, hash }, pin) }];
    } catch (error) {
      // A PIN that was changed elsewhere must not be tried at every look: the token would lock.
      if (error instanceof PinRejected) keeper.markRejected();
      if (!(error instanceof KeyUnusable)) throw error;
      keyless.add(sha256);
      output.printError(`The certificate of ${displayName(certificate)} is left out: ${error.message}`);
      return [];
    }
  };

  /** The certificates with their proofs, or that a PIN is needed to make one. */
  const provable = async ({ source, certificates }: Contents): Promise<readonly Proven[] | 'need-pin'> => {
    const known = recall(memory, source);
    if (!certificates) return known.length > 0 ? known : 'need-pin';
    const usable = certificates.filter((each) => isOfPerson(each) && !keyless.has(each.sha256));
    const proofOf = ({ sha256 }: Certificate) => known.find((each) => each.certificate.sha256 === sha256);
    const missing = usable.filter((each) => !proofOf(each));
    const pin = keeper.inUse();
    if (missing.length > 0 && pin === undefined) return 'need-pin';
    const made = pin === undefined ? [] : await Promise.all(missing.map((each) => prove(each, pin)));
    const all = [...usable.flatMap((each) => proofOf(each) ?? []), ...made.flat()];
    if (made.length > 0) remember(memory, source, all);
    return all;
  };

  const register = async (): Promise<void> => {
    const names = JSON.stringify(held.map(({ certificate }) => certificate.sha256));
    if (names === registered || Date.now() < refusedUntilMs) return;
    const { certificates } = await send(identity, {
      path: '/agent/certificates',
      body: {
        certificates: held.map(({ certificate, proof }) => ({
          der: certificate.der.toString('base64'),
          proof: proof.toString('base64'),
        })),
      },
      answers: RegisteredCertificates,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REGISTER_TIMEOUT_MS)]),
    }).catch((error) => {
      if (error instanceof ServerRefused) refusedUntilMs = Date.now() + RETRY_REFUSED_MS;
      throw error;
    });
    registered = names;
    const isAccepted = ({ sha256 }: Certificate) => certificates.some((each) => each.sha256 === sha256);
    for (const { certificate } of held)
      if (isAccepted(certificate)) output.print(`Offering the certificate of ${displayName(certificate)}.`);
      else
        output.printError(
          `The certificate of ${displayName(certificate)} is not one that this agent was enrolled for.`,
        );
    if (held.length === 0) output.print('No certificate is offered.');
  };

  /** Notes which token or file is there. Another one has another PIN. */
  const noteContents = (seen: Contents | undefined): void => {
    if (!hasLooked && !seen) output.print(`${store.name} is not there. Put it in.`);
    hasLooked = true;
    if (contents && contents.source !== seen?.source) {
      keeper.forget();
      keyless.clear();
      output.print(
        `${store.name} is ${seen ? 'another one than before' : 'not there'}: its PIN is no longer in use.`,
      );
    }
    contents = seen;
  };

  const refresh = async (): Promise<void> => {
    const seen = await store.look();
    noteContents(seen);
    const found = seen ? await provable(seen) : [];
    if (found === 'need-pin') {
      held = [];
      const [first] = seen?.certificates?.filter(isOfPerson) ?? [];
      // Once for each token or file: a holder who skipped the question is not asked again.
      if (askedSource !== seen?.source) needPin(first && displayName(first));
      askedSource = seen?.source;
    } else held = found;
    await register();
  };

  return {
    held: (): readonly Certificate[] => held.map(({ certificate }) => certificate),
    lastTry: (): boolean => contents?.lastTry ?? false,
    /** Looks again. A failure is printed once, and tried again at every look. */
    refresh: (): Promise<void> =>
      inTurn(async () => {
        try {
          await refresh();
          lastProblem = undefined;
        } catch (error) {
          const reason = causeOf(error);
          if (!signal.aborted && reason !== lastProblem)
            output.printError(`The certificates could not be offered: ${reason}`);
          lastProblem = reason;
        }
      }),
  };
}
