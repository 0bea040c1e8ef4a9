import { isoDate } from '../calendar.ts';
import { type FlowAction, type Mark, marksIn, type Person, refusalsOf } from '../flow/flow.ts';
import { shownId } from '../guids.ts';

/** A person, with the address under both names that clients know. */
export const renderPerson = (person: Person) => ({
  ...person,
  id: shownId('person', person.id),
  email: person.emailAddress,
});

const isRule = ({ type }: FlowAction): boolean => type.endsWith('Rule');

const orNull = (ms: number | null | undefined): string | null => (ms == null ? null : isoDate(ms));

/** An action as responses show it. `firstMs` is when the document was created, for a flow that does not say. */
export const renderAction = (action: FlowAction, firstMs: number) => ({
  id: action.id,
  type: action.type,
  status: action.state,
  step: action.step,
  title: action.title,
  user: isRule(action) ? null : (action.people.map(renderPerson)[0] ?? null),
  ruleName: action.ruleName,
  numberRequiredSignatures: action.required,
  allowRuleFlowToContinueIfRefused: action.continuesIfRefused ?? false,
  signRuleUsers: isRule(action) ? action.people.map((person) => renderRuleUser(action, person)) : [],
  requiredCompanyIdentifier: action.requiredCompanyIdentifier,
  requiredCertificateTypeToSign: action.requiredCertificateType,
  requireCompanyCertificate: action.requiredHolderType === 'Company',
  requiredCertificateHolderTypeToSign: action.requiredHolderType ?? null,
  prePositionedMarks: marksIn(action).filter(({ from }) => from !== 'top'),
  marks: marksIn(action)
    .filter(({ from }) => from === 'top')
    .map(renderMark),
  signatureInitialsMode: action.initialsMode ?? ('None' as const),
  ...NOT_ELECTRONIC,
  creationDate: isoDate(action.createdAtMs ?? firstMs),
  updateDate: isoDate(updatedAtMs(action, firstMs)),
  pendingDate: orNull(action.pendingSinceMs),
  completedBy: action.completions.map(({ by, atMs, certificate }) => ({
    ...renderPerson(by),
    date: isoDate(atMs),
    certificate,
  })),
  refusalReason: action.refusal?.reason ?? null,
});

const renderMark = (mark: Mark) => ({
  type: mark.type ?? ('SignatureVisualRepresentation' as const),
  uploadId: mark.uploadId ?? null,
  ...{ pageNumber: mark.page, topLeftX: mark.x, topLeftY: mark.y, width: mark.width, height: mark.height },
});

const NOT_ELECTRONIC = {
  allowElectronicSignature: false,
  requireSmsAuthenticationToSignElectronically: false,
  requireWhatsappAuthenticationToSignElectronically: false,
  requireAuthenticatorAppToSignElectronically: false,
  requireSelfieAuthenticationToSignElectronically: false,
  requireDatavalidAuthenticationToSignElectronically: false,
  requirePixAuthenticationToSignElectronically: false,
  requireLivenessAuthenticationToSignElectronically: false,
  requireIdScanAuthenticationToSignElectronically: false,
  disableEmailAuthenticationToSignElectronically: false,
  isElectronic: false,
} as const;

function renderRuleUser(action: FlowAction, person: Person) {
  const completion = action.completions.find(({ by }) => by.id === person.id);
  const refusal = refusalsOf(action).find(({ by }) => by.id === person.id);
  return {
    ...renderPerson(person),
    signatureDate: orNull(completion?.atMs),
    isElectronic: false,
    hasRefused: refusal !== undefined,
    refusalDate: orNull(refusal?.atMs),
    refusalReason: refusal?.reason ?? null,
  };
}

const updatedAtMs = (action: FlowAction, firstMs: number): number =>
  Math.max(
    action.createdAtMs ?? firstMs,
    action.pendingSinceMs ?? 0,
    ...[...action.completions, ...refusalsOf(action)].map(({ atMs }) => atMs),
  );
