import * as z from 'zod';
import { ACTION_ID, DOCUMENT_ID } from './examples.ts';
import { line } from './fields.ts';

export const ReminderRequest = z
  .object({
    documentId: z.string().min(1).max(64),
    flowActionId: line(),
  })
  .meta({
    description: 'The action whose people are reminded.',
    examples: [{ documentId: DOCUMENT_ID, flowActionId: ACTION_ID }],
  });

const Emails = z.array(z.email().max(254)).max(50);

export const NotifiedEmails = z.object({ emails: Emails }).meta({
  description: 'Who is told when the document is concluded. None: nobody but its people.',
  examples: [{ emails: ['archive@sandbox.example'] }],
});

export const NotifyPending = z.object({ emails: Emails.min(1) }).meta({
  description: 'Who is told what waits for them.',
  examples: [{ emails: ['ana@sandbox.example'] }],
});

/** A message about a document, as its details show it. */
export const MessageModel = z
  .object({
    kind: z.enum(['Invitation', 'Reminder', 'Refused', 'Canceled', 'Expired', 'Concluded']),
    flowActionId: z.string().nullable().describe('The action that waits; null for the end of a document.'),
    emailAddress: z.string(),
    status: z
      .enum(['Sending', 'Sent', 'Failed'])
      .describe('`Sending` until the mail server takes it, also between two attempts.'),
    date: z.iso.datetime().describe('When it was sent or given up; before that, when it was first tried.'),
    problem: z.string().nullable().describe('Why it was given up, in the words of the mail server.'),
  })
  .meta({
    description: 'A message by mail about a document.',
    examples: [
      {
        kind: 'Invitation',
        flowActionId: ACTION_ID,
        emailAddress: 'ana@sandbox.example',
        status: 'Sent',
        date: '2026-03-02T12:00:05.000Z',
        problem: null,
      },
    ],
  });

/** The links that one person got for one action, as the document's details show them. */
export const ActionUrlModel = z
  .object({
    flowActionId: z.string(),
    name: z.string(),
    emailAddress: z.string().nullable(),
    expirationDate: z.iso.datetime().describe('Of the link that opens the document for longest.'),
    firstOpenedDate: z.iso.datetime().nullable(),
    lastOpenedDate: z.iso.datetime().nullable(),
  })
  .meta({
    description: 'The links of one person to one action, and when they were opened.',
    examples: [
      {
        flowActionId: ACTION_ID,
        name: 'Ana Souza',
        emailAddress: 'ana@sandbox.example',
        expirationDate: '2026-05-31T12:00:05.000Z',
        firstOpenedDate: '2026-03-02T13:10:00.000Z',
        lastOpenedDate: '2026-03-02T13:10:00.000Z',
      },
    ],
  });
