import type { Caller } from '../../../../../shared/access/caller.ts';
import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { cloudOf } from '../../../../../shared/hub/cloud.ts';
import { cloudHolder } from '../../../../../shared/hub/holder.ts';
import { returnFromProvider } from '../../../../../shared/hub/return.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { completeSignature } from '../complete-signature.ts';
import { findSessionOfSigner, refuseUnlessPending, type SessionAccess } from '../find-session.ts';
import { startSignature } from '../start-signature.ts';
import { pagePathOf, requireShown, type SigningRequest } from './shown-documents.ts';

const cloud = cloudOf('pki', settings);
const holder = cloudHolder('pki', cloud);

type Browser = { readonly cookies: Readonly<Record<string, string | undefined>> };

const pageOf = (access: SessionAccess, { cookies }: Browser) => ({ back: pagePathOf(access), cookies });

/** Finds the providers of the person's certificate; all of them where the session names no CPF. */
export async function beginCloudVisit(
  caller: Caller,
  access: SessionAccess,
  { language, ...browser }: Browser & { readonly language: string },
  deadline: Deadline,
) {
  if (!cloud.isOffered()) throw errors.refuse('WayNotOffered');
  const session = await findSessionOfSigner(caller, access, deadline.now());
  refuseUnlessPending(session);
  const { signerCpf, documents } = session;
  const identifier = signerCpf ?? undefined;
  return holder.begin(
    { ...pageOf(access, browser), language, identifier, documents: documents.length },
    deadline,
  );
}

/** How the visit of this browser stands, with the certificate once the signature is allowed. */
export async function lookInCloud(
  caller: Caller,
  access: SessionAccess,
  browser: Browser,
  deadline: Deadline,
) {
  await findSessionOfSigner(caller, access, deadline.now());
  return holder.look(pageOf(access, browser), deadline);
}

/** Signs the next document of the session. The page asks again while some are left. */
export async function signInCloud(
  caller: Caller,
  { documentIds, ...access }: SigningRequest,
  browser: Browser,
  deadline: Deadline,
) {
  const session = await findSessionOfSigner(caller, access, deadline.now());
  const [document, ...others] = requireShown(session, documentIds);
  const request = { ...access, documentId: document.id };
  const signed = await holder.sign(
    pageOf(access, browser),
    async (certificate, signHash) => {
      const offered = { ...request, certificate: certificate.der.toString('base64') };
      const started = await startSignature(caller, offered, deadline.now());
      if (!started.success)
        return { result: { isSigned: false, errors: started.validationResults.errors }, isLast: false };
      const signature = await signHash(Buffer.from(started.toSignHash.value, 'base64'));
      const value = { state: started.state, signature: signature.toString('base64') };
      const { success: isSigned, validationResults } = await completeSignature(
        caller,
        { ...request, ...value, custody: 'cloud' },
        deadline.now(),
      );
      return {
        result: { isSigned, errors: validationResults.errors },
        isLast: isSigned && others.length === 0,
      };
    },
    deadline,
  );
  return { ...signed, left: others.length };
}

/** Where a person who comes back from a provider goes on. */
export const returnToPage = (request: Parameters<typeof returnFromProvider>[2], deadline: Deadline) =>
  returnFromProvider('pki', cloud, request, deadline);
