import type * as z from 'zod';
import type { Participant } from '../../contract/fields.ts';
import type { FlowActionRequest } from '../../contract/flow-actions.ts';
import { errors } from '../../errors.ts';
import { derivedGuid } from '../guids.ts';
import { type Flow, type FlowAction, kindOf, openNextStep, type Person } from './flow.ts';

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
      mark: action.prePositionedMarks?.[0] ?? null,
      ...(action.allowRuleFlowToContinueIfRefused && { continuesIfRefused: true }),
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    };
  });
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
