import type * as z from 'zod';
import type { Caller } from '../../../shared/access/caller.ts';
import { jsonBody } from '../../../shared/http/body/reader.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { session } from '../service.ts';

/** The permission of an application that may put questions to holders: a key for sessions is not enough. */
const WORKSTATION_QUESTIONS = 'workstation-questions';

type Declared<B extends z.ZodType, A extends z.ZodType> = {
  readonly route: `POST /workstations/${string}`;
  readonly summary: string;
  readonly body: B;
  readonly answer: A;
};

/** An endpoint for the services whose pages have holders sign. */
export const questionEndpoint = <B extends z.ZodType, A extends z.ZodType>(
  { body, answer, ...declared }: Declared<B, A>,
  run: (caller: Caller, request: z.output<B>) => Promise<z.output<A>>,
): Endpoint =>
  session.endpoint(
    {
      ...declared,
      body: jsonBody(body),
      answers: { 200: answer },
      permission: WORKSTATION_QUESTIONS,
      undocumented: true,
      takesCorrelationId: true,
    },
    async (input) => run(input.caller, input.body as z.output<B>) as never,
  );
