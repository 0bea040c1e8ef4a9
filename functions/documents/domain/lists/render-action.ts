import { isoDate } from '../calendar.ts';
import type { Document } from '../document/document.ts';
import { holderNameOf } from '../flow/certificate-holder.ts';
import { type FlowAction, type Mark, marksIn, type Person, refusalsOf } from '../flow/flow.ts';
import { pageInPart } from '../flow/part-marks.ts';
import { renderXmlOptions } from '../flow/xml-options.ts';
import { shownId } from '../guids.ts';

/** A person, with the address under both names that clients know. */
export const renderPerson = ({ partId: _, ...person }: Person) => ({
  ...person,
  id: shownId('person', person.id),
  email: person.emailAddress,
});

const isRule = ({ type }: FlowAction): boolean => type.endsWith('Rule');

const orNull = (ms: number | null | undefined): string | null => (ms == null ? null : isoDate(ms));

/**
 * An action as responses show it. `firstMs` is when the document was created, for a flow that does not say; `parts` are
 * those of an envelope, in which the pages of marks are counted.
 */
export const renderAction = (action: FlowAction, firstMs: number, parts?: Document['parts']) => ({
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
  prePositionedMarks: marksIn(action)
    .filter(({ from }) => from !== 'top')
    .map(({ uploadId: _, ...mark }) => mark),
  marks: marksIn(action)
    .filter(({ from }) => from === 'top')
    .map((mark) => renderMark(mark, parts)),
  signatureInitialsMode: action.initialsMode ?? ('None' as const),
  xadesOptions: renderXmlOptions(action),
  ...renderElectronic(action),
  creationDate: isoDate(action.createdAtMs ?? firstMs),
  updateDate: isoDate(updatedAtMs(action, firstMs)),
  pendingDate: orNull(action.pendingSinceMs),
  completedBy: action.completions.map((completion) => ({
    ...renderPerson(completion.by),
    date: isoDate(completion.atMs),
    certificate: completion.certificate && {
      ...completion.certificate,
      holderName: holderNameOf(completion) ?? '',
    },
  })),
  refusalReason: action.refusal?.reason ?? null,
});

const renderMark = (mark: Mark, parts: Document['parts']) => ({
  type: mark.type ?? ('SignatureVisualRepresentation' as const),
  uploadId: mark.uploadId ?? null,
  ...{
    pageNumber: pageInPart(mark, parts),
    topLeftX: mark.x,
    topLeftY: mark.y,
    width: mark.width,
    height: mark.height,
  },
});

/** The factors that are never asked for are refused when a document is created. */
const renderElectronic = ({ electronic, completions }: FlowAction) => ({
  allowElectronicSignature: electronic !== undefined,
  requireSmsAuthenticationToSignElectronically: electronic?.factors.includes('SMS') ?? false,
  requireAuthenticatorAppToSignElectronically: electronic?.factors.includes('AuthenticatorApp') ?? false,
  requireLivenessAuthenticationToSignElectronically: electronic?.factors.includes('Liveness') ?? false,
  disableEmailAuthenticationToSignElectronically:
    electronic !== undefined && !electronic.factors.includes('Email'),
  requireWhatsappAuthenticationToSignElectronically: false as const,
  requireSelfieAuthenticationToSignElectronically: false as const,
  requireDatavalidAuthenticationToSignElectronically: false as const,
  requirePixAuthenticationToSignElectronically: false as const,
  requireIdScanAuthenticationToSignElectronically: false as const,
  isElectronic: completions.some(({ evidence }) => evidence !== undefined),
});

function renderRuleUser(action: FlowAction, person: Person) {
  const completion = action.completions.find(({ by }) => by.id === person.id);
  const refusal = refusalsOf(action).find(({ by }) => by.id === person.id);
  return {
    ...renderPerson(person),
    signatureDate: orNull(completion?.atMs),
    isElectronic: completion?.evidence !== undefined,
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
