import type * as z from 'zod';
import type { FlowActionRequest } from '../../contract/create-document.ts';
import type { Participant } from '../../contract/people.ts';
import { derivedId } from '../derived-id.ts';
import { type Flow, type FlowAction, type Person, reached } from './flow.ts';

type Asked = z.output<typeof FlowActionRequest>;

/** A flow as it was asked for. The same person of an organization has the same id in all its documents. */
export const plannedFlow = (asked: readonly Asked[], organizationId: string): Flow =>
  asked.map((action, index): FlowAction => {
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
      mark: action.prePositionedMarks?.[0] ?? null,
      completions: [],
      refusal: null,
      pendingSinceMs: null,
    };
  });

/** The flow begun for one document and version: each action gets an id of its own, the first step is open. */
export const begun = (planned: Flow, documentId: string, round: number, nowMs: number): Flow =>
  reached(
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
