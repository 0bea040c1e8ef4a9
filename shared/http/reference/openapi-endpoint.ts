import * as z from 'zod';
import { commonSettings } from '../../settings/common.ts';
import { docsUrl } from '../../settings/docs.ts';
import type { Endpoint, Service } from '../endpoint.ts';
import { type Answer, constantJson } from '../response/answer.ts';
import { withGuides } from './guides.ts';
import { SERVICE_TAG } from './tags.ts';

const OpenApiDocument = z.looseObject({ openapi: z.string() }).meta({
  description: 'An OpenAPI 3.1 document.',
  examples: [{ openapi: '3.1.0', info: { title: 'Signing session server', version: '0.1.0' }, paths: {} }],
});

/**
 * Serves the contract document that the build wrote, without a credential.
 * @example export const handler = openApiEndpoint(session, document);
 */
export function openApiEndpoint(service: Service, document: object): Endpoint {
  let made: { readonly root: string; readonly docs: string | undefined; readonly answer: Answer } | undefined;
  return service.endpoint(
    {
      route: 'GET /openapi/v1.json',
      summary: 'This contract, as OpenAPI 3.1',
      description: 'Generate a client from it, or load it into a tool. It needs no key.',
      tag: SERVICE_TAG,
      answers: { 200: OpenApiDocument },
      access: 'public',
      ignoresUnknownOptions: true,
    },
    async () => {
      const [root, docs] = [commonSettings['Http:PublicUrl'], docsUrl()];
      if (made?.root === root && made.docs === docs) return made.answer;
      const answer = constantJson({
        openapi: '3.1.0',
        ...withGuides(document, docs),
        servers: [{ url: `${root}${service.basePath}` }],
      });
      made = { root, docs, answer };
      return answer;
    },
  );
}
