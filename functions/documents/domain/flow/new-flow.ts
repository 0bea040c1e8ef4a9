import type * as z from 'zod';
import type { Participant } from '../../contract/fields.ts';
import type { FlowActionRequest } from '../../contract/flows/flow-actions.ts';
import { errors } from '../../errors.ts';
import { derivedGuid } from '../guids.ts';
import {
  type Factor,
  type Flow,
  type FlowAction,
  kindOf,
  type Mark,
  marksIn,
  openNextStep,
  type Person,
} from './flow.ts';
import { xmlOptionsOf } from './xml-options.ts';

type FlowActionInput = z.output<typeof FlowActionRequest>;

/** Plans a flow from a request. The same person of an organization has the same id in all its documents. */
export function planFlow(
  actions: readonly FlowActionInput[],
  organizationId: string,
  field = 'flowActions',
): Flow {
  const hasSteps = actions.some(({ step }) => (step ?? 0) > 0);
  return actions.map((action, index): FlowAction => {
    refuseUnusedOptions(action, `${field}.${index}`);
    const isRule = action.type.endsWith('Rule');
    const people = isRule ? (action.signRuleUsers ?? []) : action.user ? [action.user] : [];
    return {
      id: String(index),
      type: action.type,
      // Clients whose model has a number here send 0 for none. Beside other steps, 0 is the one before 1.
      step: (hasSteps ? action.step : undefined) ?? 1,
      state: 'Created',
      title: action.title,
      ruleName: isRule ? action.ruleName : null,
      people: people.map((each) => personOf(each, organizationId)),
      required: isRule ? (action.numberRequiredSignatures ?? 1) : 1,
      requiredCompanyIdentifier: action.requiredCompanyIdentifier,
      requiredCertificateType: action.requiredCertificateTypeToSign,
      requiredHolderType: action.requireCompanyCertificate
        ? 'Company'
        : action.requiredCertificateHolderTypeToSign,
      ...electronicOf(action, index),
      marks: action.prePositionedMarks ?? [],
      ...initialsOf(action.signatureInitialsMode, action.prePositionedMarks ?? [], `${field}.${index}`),
      ...xmlOptionsOf(action.xadesOptions, `${field}.${index}.xadesOptions`),
      ...(action.allowRuleFlowToContinueIfRefused && { continuesIfRefused: true }),
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    };
  });
}

/** Whether the action may be signed electronically, and the codes that are asked for then. */
function electronicOf(action: FlowActionInput, index: number): Pick<FlowAction, 'electronic'> {
  const isSms = action.requireSmsAuthenticationToSignElectronically ?? false;
  const isApp = action.requireAuthenticatorAppToSignElectronically ?? false;
  const isLive = action.requireLivenessAuthenticationToSignElectronically ?? false;
  const isEmailOff = action.disableEmailAuthenticationToSignElectronically ?? false;
  const refuse = (option: string, reason: string) =>
    errors.refuse('OptionNotSupported', { option, field: `flowActions.${index}.${option}`, reason });
  if (isEmailOff && !isSms)
    throw refuse(
      'disableEmailAuthenticationToSignElectronically',
      'A code by mail is left out only where one by SMS is asked for.',
    );
  if (!action.allowElectronicSignature) {
    const required = REQUIRED_FACTORS.find((option) => action[option]);
    if (required) throw refuse(required, 'The action does not allow electronic signatures.');
    return {};
  }
  const certificate = CERTIFICATE_OPTIONS.find((option) => action[option]);
  if (certificate)
    throw refuse(
      'allowElectronicSignature',
      `${certificate} asks for a certificate, and it would ask for none.`,
    );
  const factors: Factor[] = [
    ...(isEmailOff ? [] : (['Email'] as const)),
    ...(isSms ? (['SMS'] as const) : []),
    ...(isApp ? (['AuthenticatorApp'] as const) : []),
    ...(isLive ? (['Liveness'] as const) : []),
  ];
  return { electronic: { factors } };
}

const REQUIRED_FACTORS = [
  'requireSmsAuthenticationToSignElectronically',
  'requireAuthenticatorAppToSignElectronically',
  'requireLivenessAuthenticationToSignElectronically',
] as const;

/** The options by which nobody signs but with a certificate. */
const CERTIFICATE_OPTIONS = [
  'requiredCertificateTypeToSign',
  'requiredCertificateHolderTypeToSign',
  'requireCompanyCertificate',
  'requiredCompanyIdentifier',
] as const;

/** The initials that are asked for. They are drawn where the request places them, and nobody is asked for a place. */
export function initialsOf(
  mode: FlowActionInput['signatureInitialsMode'],
  marks: readonly Mark[],
  field: string,
): Pick<FlowAction, 'initialsMode'> {
  if (mode === null || mode === 'None') return {};
  if (marks.some(({ type }) => type === 'SignatureInitials')) return { initialsMode: mode };
  throw errors.refuse('OptionNotSupported', {
    option: 'signatureInitialsMode',
    field: `${field}.signatureInitialsMode`,
    reason:
      'It needs a mark of the type SignatureInitials in prePositionedMarks: nobody chooses a place for theirs.',
  });
}

/** The same flow with the marks of one file: those that name it, and those that name none. */
export const flowOfFile = (flow: Flow, uploadId: string): Flow =>
  flow.map((action) => ({
    ...action,
    marks: marksIn(action).filter((mark) => mark.uploadId === undefined || mark.uploadId === uploadId),
  }));

/** Refuses marks on a file that is not one of these. */
export function requireMarkedFiles(
  flow: readonly Pick<FlowAction, 'marks' | 'mark'>[],
  uploadIds: readonly string[],
  field = 'prePositionedMarks',
): void {
  const marked = flow.flatMap((action) => marksIn(action).flatMap(({ uploadId }) => uploadId ?? []));
  const unknown = marked.find((id) => !uploadIds.includes(id));
  if (unknown !== undefined) throw errors.refuse('UploadNotFound', { uploadId: unknown, field });
}

/** Refuses options that an action of this type does not use: ignoring one would change what the caller requested. */
function refuseUnusedOptions(action: FlowActionInput, field: string): void {
  const isRule = action.type.endsWith('Rule');
  const unused: Partial<Record<keyof FlowActionInput, boolean>> = {
    ...(isRule
      ? { user: Boolean(action.user) }
      : {
          signRuleUsers: (action.signRuleUsers?.length ?? 0) > 0,
          numberRequiredSignatures: (action.numberRequiredSignatures ?? 1) > 1,
          allowRuleFlowToContinueIfRefused: action.allowRuleFlowToContinueIfRefused ?? false,
        }),
    // An approval is given without a certificate.
    ...(kindOf(action) === 'approval' && {
      allowElectronicSignature: action.allowElectronicSignature ?? false,
      requiredCertificateTypeToSign: action.requiredCertificateTypeToSign !== null,
      requiredCertificateHolderTypeToSign: action.requiredCertificateHolderTypeToSign !== null,
      requireCompanyCertificate: action.requireCompanyCertificate ?? false,
      requiredCompanyIdentifier: action.requiredCompanyIdentifier !== null,
      xadesOptions: Boolean(action.xadesOptions),
    }),
  };
  const [option] = Object.entries(unused).find(([, isSet]) => isSet) ?? [];
  if (option === undefined) return;
  throw unusedOption(action, option, field);
}

/** The refusal of an option that an action of this type has no use for. */
export const unusedOption = ({ type }: Pick<FlowAction, 'type'>, option: string, field: string) =>
  errors.refuse('OptionNotSupported', {
    option,
    field: `${field}.${option}`,
    reason: `An action of the type ${type} has no use for it.`,
  });

/** Starts a planned flow for one document and version: each action gets its own id, and the first step opens. */
export const startFlow = (planned: Flow, documentId: string, round: number, nowMs: number): Flow =>
  openNextStep(
    planned.map(({ partRefusals: _, ...action }, index) => ({
      ...action,
      createdAtMs: nowMs,
      id: derivedGuid('action', documentId, String(round), String(index)),
      state: 'Created',
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    })),
    nowMs,
  );

/** The id of a person of an organization, by what is known of them. */
export const personIdOf = (organizationId: string, known: string): string =>
  derivedGuid('person', organizationId, known);

function personOf(participant: z.output<typeof Participant>, organizationId: string): Person {
  const { name, identifier, phone } = participant;
  const emailAddress = participant.emailAddress ?? participant.email;
  const known = identifier ?? emailAddress?.toLowerCase() ?? name;
  return {
    id: participant.id ?? personIdOf(organizationId, known),
    name,
    identifier,
    emailAddress,
    phone,
  };
}
