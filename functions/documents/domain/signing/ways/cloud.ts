import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { cloudOf } from '../../../../../shared/hub/cloud.ts';
import { cloudHolder } from '../../../../../shared/hub/holder.ts';
import { returnFromProvider } from '../../../../../shared/hub/return.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import type { FlowAction, Person } from '../../flow/flow.ts';
import { preferencesOf } from '../../places/preferences.ts';
import { type ActionLink, pagePathOf, requireAwaited } from '../awaited.ts';
import { completeSignatureByKey } from '../complete-signature.ts';
import { startSignatureByKey } from '../start-signature.ts';

const cloud = cloudOf('documents', settings);
const holder = cloudHolder('documents', cloud);

type Browser = { readonly cookies: Readonly<Record<string, string | undefined>> };

const pageOf = (link: ActionLink, { cookies }: Browser) => ({ back: pagePathOf(link), cookies });

type VisitRequest = Browser & {
  readonly language: string;
  /** How many are signed in one go. */
  readonly documents: number;
};

/** Finds the providers of the person's certificate: by the CPF of the action, or the CNPJ that it requires. */
export async function beginCloudVisit(
  link: ActionLink,
  { language, documents, ...browser }: VisitRequest,
  deadline: Deadline,
) {
  if (!cloud.isOffered()) throw errors.refuse('WayNotOffered');
  const { action, person, location } = await requireAwaited(link, null, deadline.now());
  if (!preferencesOf(location.organization).signingWays.cloud) throw errors.refuse('WayNotOffered');
  return holder.begin(
    { ...pageOf(link, browser), language, identifier: identifierOf(action, person), documents },
    deadline,
  );
}

// Providers know the certificate of a company by its CNPJ. Where any company will do, the person chooses among them.
function identifierOf(
  { requiredCompanyIdentifier: cnpj, requiredHolderType }: FlowAction,
  { identifier: cpf }: Person,
): string | undefined {
  return cnpj ?? (requiredHolderType === 'Company' ? undefined : (cpf ?? undefined));
}

/** How the visit of this browser stands, with the certificate once the signature is allowed. */
export const lookInCloud = (link: ActionLink, browser: Browser, deadline: Deadline) =>
  holder.look(pageOf(link, browser), deadline);

/** The visit that a signature is made in: of the page at which it was begun. */
type SigningVisit = { readonly page: ActionLink; readonly isLast: boolean };

/** Signs the document of the link. The certificate is judged and matched with the person as any other. */
export async function signInCloud(
  { key, ticket }: ActionLink,
  { page, isLast }: SigningVisit,
  browser: Browser,
  deadline: Deadline,
) {
  return holder.sign(
    pageOf(page, browser),
    async (certificate, signHash) => {
      const offered = { ticket, certificate: certificate.der.toString('base64'), flowActionId: null };
      const started = await startSignatureByKey(key, offered, deadline.now());
      if (started.token === null || started.toSignHash === null)
        return {
          result: { isSigned: false, errors: started.validationResults.errors, proof: null },
          isLast: false,
        };
      const signature = (await signHash(Buffer.from(started.toSignHash, 'base64'))).toString('base64');
      const { token } = started;
      const completed = await completeSignatureByKey(
        key,
        { token, signature, custody: 'cloud' },
        deadline.now(),
      );
      const { success: isSigned, validationResults } = completed;
      const proof = isSigned ? token : null;
      return { result: { isSigned, errors: validationResults.errors, proof }, isLast: isSigned && isLast };
    },
    deadline,
  );
}

/** Where a person who comes back from a provider goes on. */
export const returnToPage = (request: Parameters<typeof returnFromProvider>[2], deadline: Deadline) =>
  returnFromProvider('documents', cloud, request, deadline);
