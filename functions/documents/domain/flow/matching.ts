import type { IcpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { type Cpf, maskCpf } from '../../../../shared/taxpayer/cpf.ts';
import { errors } from '../../errors.ts';
import { actionNotAwaited } from './actions.ts';
import {
  type ActionKind,
  type Assignment,
  type Flow,
  type FlowAction,
  kindOf,
  openAssignments,
  type Person,
} from './flow.ts';

/** The person that a request names, by CPF or else by e-mail address, and optionally the action. */
export type ActionSelector = {
  readonly identifier: string | null;
  readonly emailAddress: string | null;
  readonly flowActionId?: string | null;
};

/** Whether a request names neither a person nor an action. */
export const namesNobody = ({ identifier, emailAddress, flowActionId = null }: ActionSelector): boolean =>
  identifier === null && emailAddress === null && flowActionId === null;

/** The first action that awaits this person. A request that names nobody means the only person awaited. */
export function findAssignment(
  flow: Flow,
  { identifier, emailAddress, flowActionId = null }: ActionSelector,
  kind?: ActionKind,
): Assignment {
  const open = openAssignments(flow).filter(
    ({ action }) =>
      (kind === undefined || kindOf(action) === kind) &&
      (flowActionId === null || action.id === flowActionId),
  );
  const isAnyone = identifier === null && emailAddress === null;
  const found =
    (identifier === null ? undefined : open.find(({ person }) => person.identifier === identifier)) ??
    (emailAddress === null
      ? undefined
      : open.find(({ person }) => hasAddress(person, identifier, emailAddress))) ??
    (isAnyone && open.length === 1 ? open[0] : undefined);
  if (!found && isAnyone && open.length > 1) throw errors.refuse('InvalidFlowAction', SEVERAL_AWAITED);
  if (!found) {
    const isNamed = (person: Person): boolean =>
      (identifier !== null && person.identifier === identifier) ||
      (emailAddress !== null && hasAddress(person, identifier, emailAddress));
    throw actionNotAwaited(flow, { flowActionId, kind, ...(!isAnyone && { isPerson: isNamed }) });
  }
  return found;
}

const SEVERAL_AWAITED = {
  reason: 'Several people are waited for. Name one: identifier, emailAddress or flowActionId.',
};

// Several people may share an address, so a known CPF on both sides decides instead of it.
const hasAddress = (person: Person, identifier: string | null, address: string): boolean =>
  person.emailAddress?.toLowerCase() === address.toLowerCase() &&
  (identifier === null || person.identifier === null);

/** The holder that a certificate names, and the certificate's fingerprint. */
export type CertificateIdentity = Pick<IcpBrasilIdentity, 'cpf' | 'cnpj' | 'certificateType' | 'holder'> & {
  readonly sha256: string;
};

/** The signature that a certificate can make: of the named action, or the first that awaits its CPF. */
export function findSignatureAssignment(
  flow: Flow,
  identity: CertificateIdentity,
  flowActionId: string | null,
): Assignment {
  const open = openAssignments(flow).filter(({ action }) => kindOf(action) === 'signature');
  const named = flowActionId === null ? open : open.filter(({ action }) => action.id === flowActionId);
  if (flowActionId !== null && named.length === 0)
    throw actionNotAwaited(flow, { flowActionId, kind: 'signature' });
  const own = named.filter(({ person }) => person.identifier !== null && person.identifier === identity.cpf);
  const fitting = [...own, ...named.filter((match) => acceptsHolder(match, identity))];
  const found =
    fitting.find(({ action }) => hasCompany(action, identity) && isOfHolder(action, identity)) ?? fitting[0];
  if (!found)
    throw flowActionId === null ? cpfNotExpected(identity) : errors.refuse('CpfMismatch', { flowActionId });
  return requireMatchingCertificate(found, identity);
}

/** Refuses a certificate other than the one that the action requires of this person. */
export function requireMatchingCertificate(match: Assignment, identity: CertificateIdentity): Assignment {
  const { action, person } = match;
  if (person.identifier !== null && person.identifier !== identity.cpf)
    throw errors.refuse('CpfMismatch', { flowActionId: action.id });
  if (person.identifier === null && !acceptsHolder(match, identity)) throw cpfNotExpected(identity);
  if (!hasCompany(action, identity))
    throw errors.refuse('CompanyIdentifierMismatch', {
      flowActionId: action.id,
      requiredCompanyIdentifier: action.requiredCompanyIdentifier,
    });
  if (!isOfHolder(action, identity))
    throw errors.refuse('CertificateHolderTypeMismatch', {
      flowActionId: action.id,
      requiredCertificateHolderType: action.requiredHolderType,
    });
  const { requiredCertificateType } = action;
  if (requiredCertificateType !== null && requiredCertificateType !== identity.certificateType)
    throw errors.refuse('CertificateTypeMismatch', {
      flowActionId: action.id,
      requiredCertificateType,
      certificateType: identity.certificateType,
    });
  return match;
}

// A person without a known CPF signs with any certificate. In a rule of several people, one holder does not count
// for two of them.
function acceptsHolder({ action, person }: Assignment, { cpf, sha256 }: CertificateIdentity): boolean {
  if (person.identifier !== null) return false;
  const isNamed = cpf !== undefined && action.people.some(({ identifier }) => identifier === cpf);
  const hasSigned = action.completions.some(
    ({ by, certificate }) => certificate?.sha256 === sha256 || (cpf !== undefined && by.identifier === cpf),
  );
  return !isNamed && !hasSigned;
}

const HOLDERS = { Individual: 'person', Company: 'company' } as const;

// A certificate that names no holder type matches neither.
const isOfHolder = ({ requiredHolderType = null }: FlowAction, { holder }: CertificateIdentity): boolean =>
  requiredHolderType === null || HOLDERS[requiredHolderType] === holder;

const hasCompany = ({ requiredCompanyIdentifier }: FlowAction, { cnpj }: CertificateIdentity): boolean =>
  requiredCompanyIdentifier === null || requiredCompanyIdentifier === cnpj;

const cpfNotExpected = ({ cpf }: CertificateIdentity) =>
  errors.refuse('CpfNotExpected', { cpf: cpf === undefined ? 'none' : maskCpf(cpf as Cpf) });
