import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { FlowActionRequest } from '../../contract/create-document.ts';
import type { Participant } from '../../contract/fields.ts';
import { errors } from '../../errors.ts';
import { type Flow, type FlowAction, kindOf, openNextStep, type Person } from './flow.ts';

type FlowActionInput = z.output<typeof FlowActionRequest>;

/** A flow as it was asked for. The same person of an organization has the same id in all its documents. */
export const planFlow = (asked: readonly FlowActionInput[], organizationId: string): Flow =>
  asked.map((action, index): FlowAction => {
    refuseUnusedOptions(action, index);
    const isRule = action.type.endsWith('Rule');
    const people = isRule ? (action.signRuleUsers ?? []) : action.user ? [action.user] : [];
    return {
      id: String(index),
      type: action.type,
      step: action.step,
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
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    };
  });

/** Refuses options that an action of this type has no use for: left undone, it would not be what was asked for. */
function refuseUnusedOptions(action: FlowActionInput, index: number): void {
  const isRule = action.type.endsWith('Rule');
  const unused: Partial<Record<keyof FlowActionInput, boolean>> = {
    ...(isRule
      ? { user: Boolean(action.user) }
      : {
          signRuleUsers: (action.signRuleUsers?.length ?? 0) > 0,
          numberRequiredSignatures: (action.numberRequiredSignatures ?? 1) > 1,
        }),
    // An approval is given without a certificate.
    ...(kindOf(action) === 'approval' && {
      requiredCertificateTypeToSign: action.requiredCertificateTypeToSign !== null,
      requiredCertificateHolderTypeToSign: action.requiredCertificateHolderTypeToSign !== null,
      requireCompanyCertificate: action.requireCompanyCertificate ?? false,
      requiredCompanyIdentifier: action.requiredCompanyIdentifier !== null,
    }),
  };
  const [option] = Object.entries(unused).find(([, isAsked]) => isAsked) ?? [];
  if (option === undefined) return;
  const reason = `An action of the type ${action.type} has no use for it.`;
  throw errors.refuse('OptionNotSupported', { option, field: `flowActions.${index}.${option}`, reason });
}

/** The flow begun for one document and version: each action gets an id of its own, the first step is open. */
export const startFlow = (planned: Flow, documentId: string, round: number, nowMs: number): Flow =>
  openNextStep(
    planned.map((action, index) => ({
      ...action,
      id: derivedId('action', documentId, String(round), String(index)),
      state: 'Created',
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    })),
    nowMs,
  );

function personOf(asked: z.output<typeof Participant>, organizationId: string): Person {
  const { name, identifier, phone } = asked;
  const emailAddress = asked.emailAddress ?? asked.email;
  const known = identifier ?? emailAddress?.toLowerCase() ?? name;
  return {
    id: asked.id ?? derivedId('person', organizationId, known),
    name,
    identifier,
    emailAddress,
    phone,
  };
}

/** An id that the same parts always give, in the form of the other ids. */
export function derivedId(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  // Version 8 and the usual variant: the bits that say the rest was made by rules of our own.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
