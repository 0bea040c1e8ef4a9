import * as z from 'zod';
import type { Caller } from '../../../shared/access/caller.ts';
import { jsonBody, optionalJsonBody } from '../../../shared/http/body/reader.ts';
import { fileOf, type Route } from '../../../shared/http/declaration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { pageOf } from '../../../shared/http/page-of.ts';
import { CANNOT_RUN, file, json } from '../../../shared/http/response/answer.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { type Item, requireItem } from '../items/domain/item.ts';
import { listItems } from '../items/domain/item-lists.ts';
import { KINDS, type KindName } from '../items/domain/kinds.ts';
import { openItemFile } from '../items/domain/open-file.ts';
import { renderItem } from '../items/domain/render-item.ts';
import {
  FileParams,
  FileQuery,
  InstituteItemParams,
  InstituteParams,
  ItemParams,
  listQuery,
  Resent,
} from '../items/shapes.ts';
import { credentials } from '../service.ts';
import { settings } from '../settings.ts';
import { mayDo, roleOf } from '../tenants/domain/members/permissions.ts';
import {
  homeOrganizationOf,
  isInScope,
  requireInstitute,
  requireOrganization,
} from '../tenants/domain/organization.ts';
import { resend } from '../webhooks/domain/resend.ts';
import { handOverAgain } from './domain/hand-over-again.ts';

type Code = Parameters<typeof credentials.errors.refuse>[0];
type Owner = { readonly id: string };

type CreateOptions<Body> = {
  readonly description: string;
  readonly body: z.ZodType<Body>;
  readonly refuses: readonly Code[];
  readonly run: (caller: Caller, owner: Owner, body: Body, nowMs: number) => Promise<Item>;
};

type ChangeOptions<Event extends string, Body> = {
  readonly description: string;
  /** The events that a client causes. */
  readonly events: readonly [Event, ...Event[]];
  readonly body: z.ZodType<Body>;
  /** Its body may carry the files of the item. */
  readonly takesFiles?: boolean;
  readonly refuses?: readonly Code[];
  readonly run: (
    caller: Caller,
    id: string,
    change: { readonly event: Event; readonly body: Body },
    nowMs: number,
  ) => Promise<Item>;
};

/**
 * The operations that every kind of item has. Those of an organization are below `/api/<path>`, those of an institute
 * below `/api/institutes/{id}/<path>`.
 * @example export const degreeRoutes = itemRoutes('degree', { one: 'degree', model: Degree });
 *          export const handler = degreeRoutes.get();
 */
export function itemRoutes<Data extends object>(
  kind: KindName,
  {
    one,
    many = `${one}s`,
    model,
  }: { readonly one: string; readonly many?: string; readonly model: z.ZodObject },
) {
  const { path, owner, states } = KINDS[kind];
  const isOfInstitute = owner === 'institute';
  const base = isOfInstitute ? `/api/institutes/{id}/${path}` : `/api/${path}`;
  const each = isOfInstitute ? `${base}/{itemId}` : `${base}/{id}`;
  const params: z.ZodObject = isOfInstitute ? InstituteItemParams : ItemParams;
  const ownerNotFound: Code = isOfInstitute ? 'InstituteNotFound' : 'SubscriptionNotFound';
  const notFound: readonly Code[] = isOfInstitute ? ['InstituteNotFound', 'ItemNotFound'] : ['ItemNotFound'];
  const Page = pageOf(model).meta({
    description: `A page of ${many}, newest first.`,
    examples: (model.meta()?.examples as object[] | undefined)?.map((item) => ({
      ...{ items: [item], page: 1, pageSize: 50, totalCount: 1 },
    })),
  });
  const route = (method: 'GET' | 'POST', at: string) => `${method} ${at}` as Route;

  /** The item of a path, if it is open to the caller. */
  async function find(caller: Caller, given: Record<string, unknown>): Promise<Stored<Item<Data>>> {
    const { id, itemId } = given as { id: string; itemId?: string };
    if (itemId === undefined)
      return requireItem<Data>(kind, id, ({ organizationId }) => isInScope(caller, organizationId));
    const institute = await requireInstitute(caller, id);
    return requireItem<Data>(kind, itemId, ({ instituteId }) => instituteId === institute.id);
  }

  return {
    create: <Body>({ description, body, refuses, run }: CreateOptions<Body>): Endpoint =>
      credentials.endpoint(
        {
          route: route('POST', base),
          can: 'items.create',
          summary: `Create ${articleOf(one)} ${one}`,
          description,
          tag: path,
          ...(isOfInstitute && { params: InstituteParams }),
          body: bodyOf(body),
          maxBodyBytes: maxFilesBytes,
          answers: { 201: model },
          refuses: [ownerNotFound, ...refuses],
          once: true,
        },
        async ({ params: given, body: request, caller, once }) => {
          const { id = '' } = given as { id?: string };
          return once({ id, request }, async () =>
            renderFor(caller, await run(caller, { id }, request, Date.now())),
          );
        },
      ),

    get: (): Endpoint =>
      credentials.endpoint(
        {
          route: route('GET', each),
          can: 'items.read',
          summary: `Read ${articleOf(one)} ${one}`,
          description: `Answers the ${one} as it is now, with its files.`,
          ...{ tag: path, params, answers: { 200: model }, refuses: notFound },
        },
        async ({ params: given, caller }) => json(renderFor(caller, await find(caller, given))),
      ),

    list: (): Endpoint =>
      credentials.endpoint(
        {
          route: route('GET', base),
          can: 'items.read',
          summary: `List ${many}`,
          description: `A page of ${many}, newest first. Every page costs the same; a filter by course or text reads the whole range.`,
          tag: path,
          ...(isOfInstitute && { params: InstituteParams }),
          query: listQuery(states.states as [string, ...string[]]),
          answers: { 200: Page },
          refuses: [ownerNotFound, 'OrganizationRequired', 'SearchTooWide'],
        },
        async ({ params: given, query, caller }) => {
          const { from: fromMs, to: untilMs, subscriptionId, page, pageSize, ...filter } = query;
          const { id } = isOfInstitute
            ? await requireInstitute(caller, (given as { id: string }).id)
            : await requireOrganization(caller, subscriptionId ?? homeOrganizationOf(caller));
          const found = await listItems(kind, id, { ...filter, page, pageSize, fromMs, untilMs });
          const items = found.items.map((item) => renderFor(caller, item));
          return json({ ...found, items, page, pageSize });
        },
      ),

    /** One operation for all events that a client causes: POST …/{id}/{event}. */
    change: <const Event extends string, Body>({
      description,
      events,
      body,
      takesFiles = false,
      refuses = [],
      run,
    }: ChangeOptions<Event, Body>): Endpoint =>
      credentials.endpoint(
        {
          route: route('POST', `${each}/{event}`),
          can: 'items.change',
          summary: `Change the status of ${articleOf(one)} ${one}`,
          description,
          tag: path,
          params: params.extend({
            event: z.enum(events).meta({ description: 'What happens to it.', examples: [events[0]] }),
          }),
          body: bodyOf(body),
          ...(takesFiles && { maxBodyBytes: maxFilesBytes }),
          answers: { 200: model },
          refuses: [...notFound, 'InvalidStatus', ...refuses],
        },
        async ({ params: given, body: request, caller }) => {
          const { id, itemId = id, event } = given as { id: string; itemId?: string; event: Event };
          return json(renderFor(caller, await run(caller, itemId, { event, body: request }, Date.now())));
        },
      ),

    getXml: (): Endpoint =>
      credentials.endpoint(
        {
          route: route('GET', `${each}/xml/{name}`),
          can: 'items.read',
          summary: `Download an XML file of ${articleOf(one)} ${one}`,
          description:
            'The signed file where there is one, or else the original; `type` asks for one of them.',
          tag: path,
          params: params.extend(FileParams),
          query: FileQuery,
          answers: { 200: fileOf('application/xml') },
          refuses: [...notFound, 'FileNotFound'],
          streams: true,
        },
        async ({ params: given, query, caller }) => {
          const item = await find(caller, given);
          const { stream, fileName } = await openItemFile(item, String(given.name), query.type);
          return file(stream, 'application/xml', { name: fileName, headers: CANNOT_RUN });
        },
      ),

    /** For a kind that cannot be canceled. */
    handOver: (): Endpoint =>
      credentials.endpoint(
        {
          route: route('POST', `${each}/hand-over`),
          can: 'items.change',
          summary: `Have ${articleOf(one)} ${one} signed after all`,
          description: `Hands the file of the ${one} to the signers of the institute again, as a new document, where it has a \`problem\`: its document was refused, canceled, has expired or is gone at the signature platform, or the signed file does not verify.`,
          ...{ tag: path, params, answers: { 202: model } },
          refuses: [...notFound, 'InvalidStatus', 'SignersPending'],
        },
        async ({ params: given, caller }) => {
          const { id } = await find(caller, given);
          return json(renderFor(caller, await handOverAgain({ kind, id }, Date.now())), { status: 202 });
        },
      ),

    resend: (): Endpoint =>
      credentials.endpoint(
        {
          route: route('POST', `${each}/webhook`),
          can: 'items.change',
          summary: `Send the webhook of ${articleOf(one)} ${one} again`,
          description: `Sends the present state of the ${one} to the webhook that receives its events.`,
          ...{ tag: path, params, answers: { 202: Resent }, refuses: [...notFound, 'WebhookNotConfigured'] },
        },
        async ({ params: given, caller }) => json(await resend(await find(caller, given)), { status: 202 }),
      ),
  };
}

const renderFor = (caller: Caller, item: Item) =>
  renderItem(item, mayDo(roleOf(caller), 'items.change') ? 'shown' : 'hidden');

/** A body without a required field may be left out. */
const bodyOf = <Body>(shape: z.ZodType<Body>) =>
  shape.safeParse({}).success ? optionalJsonBody(shape) : jsonBody(shape);

// Four characters of base64 for three bytes, for a degree's two files.
const BASE64_FACTOR = 3;
const maxFilesBytes = (): number => BASE64_FACTOR * settings['Xml:MaxBytes'];

const articleOf = (word: string): string => (/^[aeio]/.test(word) ? 'an' : 'a');
