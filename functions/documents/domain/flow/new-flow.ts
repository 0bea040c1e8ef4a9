import type * as z from 'zod';
import type { Participant } from '../../contract/fields.ts';
import type { FlowActionRequest } from '../../contract/flow-actions.ts';
import { errors } from '../../errors.ts';
import { derivedGuid } from '../guids.ts';
import { type Flow, type FlowAction, kindOf, marksIn, openNextStep, type Person } from './flow.ts';

type FlowActionInput = z.output<typeof FlowActionRequest>;

/** Plans a flow from a request. The same person of an organization has the same id in all its documents. */
export function planFlow(actions: readonly FlowActionInput[], organizationId: string): Flow {
  const hasSteps = actions.some(({ step }) => (step ?? 0) > 0);
  return actions.map((action, index): FlowAction => {
    refuseUnusedOptions(action, index);
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
      marks: action.prePositionedMarks ?? [],
      ...initialsOf(action, index),
      ...(action.allowRuleFlowToContinueIfRefused && { continuesIfRefused: true }),
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    };
  });
}

/** The initials that are asked for. They are drawn where the request places them, and nobody is asked for a place. */
function initialsOf(
  { signatureInitialsMode: mode, prePositionedMarks }: FlowActionInput,
  index: number,
): Pick<FlowAction, 'initialsMode'> {
  if (mode === null || mode === 'None') return {};
  if (prePositionedMarks?.some((mark) => 'type' in mark && mark.type === 'SignatureInitials'))
    return { initialsMode: mode };
  throw errors.refuse('OptionNotSupported', {
    option: 'signatureInitialsMode',
    field: `flowActions.${index}.signatureInitialsMode`,
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
): void {
  const marked = flow.flatMap((action) => marksIn(action).flatMap(({ uploadId }) => uploadId ?? []));
  const unknown = marked.find((id) => !uploadIds.includes(id));
  if (unknown !== undefined)
    throw errors.refuse('UploadNotFound', { uploadId: unknown, field: 'prePositionedMarks' });
}

/** Refuses options that an action of this type does not use: ignoring one would change what the caller requested. */
function refuseUnusedOptions(action: FlowActionInput, index: number): void {
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
      requiredCertificateTypeToSign: action.requiredCertificateTypeToSign !== null,
      requiredCertificateHolderTypeToSign: action.requiredCertificateHolderTypeToSign !== null,
      requireCompanyCertificate: action.requireCompanyCertificate ?? false,
      requiredCompanyIdentifier: action.requiredCompanyIdentifier !== null,
    }),
  };
  const [option] = Object.entries(unused).find(([, isSet]) => isSet) ?? [];
  if (option === undefined) return;
  const reason = `An action of the type ${action.type} has no use for it.`;
  throw errors.refuse('OptionNotSupported', { option, field: `flowActions.${index}.${option}`, reason });
}

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

function personOf(participant: z.output<typeof Participant>, organizationId: string): Person {
  const { name, identifier, phone } = participant;
  const emailAddress = participant.emailAddress ?? participant.email;
  const known = identifier ?? emailAddress?.toLowerCase() ?? name;
  return {
    id: participant.id ?? derivedGuid('person', organizationId, known),
    name,
    identifier,
    emailAddress,
    phone,
  };
}
