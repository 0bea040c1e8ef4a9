import * as z from 'zod';
import { OBSERVER, PARTICIPANT } from '../examples.ts';
import { line, orNull, PersonModel } from '../fields.ts';

const ObserverUser = z.object({
  id: orNull(line()),
  name: orNull(line()),
  email: orNull(z.email().max(254)),
  emailAddress: orNull(z.email().max(254)),
  identifier: orNull(line(20)),
  phone: orNull(line(40)),
});

/** The person right in it, or in `user` as clients of other platforms write it. */
export const ObserverRequest = ObserverUser.extend({ user: ObserverUser.nullish() })
  .transform(({ user, ...own }, context) => {
    const { name, email, emailAddress, ...rest } = user ?? own;
    const address = emailAddress ?? email;
    const refuse = (field: string): void =>
      context.addIssue({ code: 'custom', path: [...(user ? ['user'] : []), field], message: 'is required' });
    if (name === null) refuse('name');
    if (address === null) refuse('emailAddress');
    return name === null || address === null ? z.NEVER : { ...rest, name, emailAddress: address };
  })
  .meta({
    description: 'Who follows a document without a part in its flow. `user` has the same fields.',
    examples: [PARTICIPANT],
  });

export const MAX_OBSERVERS = 50;

export const ObserverModel = z
  .object({
    id: z.string(),
    user: PersonModel,
    name: z.string(),
    email: z.string().describe('The same as `emailAddress`.'),
    emailAddress: z.string(),
    identifier: z.string().nullable(),
  })
  .meta({ description: 'An observer.', examples: [OBSERVER] });
