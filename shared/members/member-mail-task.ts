import * as z from 'zod';

/** Sends a member of an organization a link to log in, as the mail queue carries it. It has no link: that is made with the mail. */
export const MemberMail = z.object({
  task: z.literal('member'),
  kind: z.enum(['Link', 'Invitation']),
  email: z.string(),
  /** Of the invitation. */
  organizationId: z.string().nullable(),
  requestedAtMs: z.number(),
});

export type MemberMail = z.infer<typeof MemberMail>;
