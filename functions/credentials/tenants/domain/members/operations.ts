import { routeOperations } from '../../../../../shared/members/permissions.ts';
import { KINDS } from '../../../items/domain/kinds.ts';
import { type Operation, permissions } from './permissions.ts';

/** The operations that every kind of item has, as flows/item-routes.ts declares them. */
const ofItems = Object.values(KINDS).flatMap(({ owner, path }): (readonly [string, Operation])[] => {
  const isOfInstitute = owner === 'institute';
  const all = isOfInstitute ? `/api/institutes/{id}/${path}` : `/api/${path}`;
  const each = isOfInstitute ? `${all}/{itemId}` : `${all}/{id}`;
  return [
    [`GET ${all}`, 'items.read'],
    [`GET ${each}`, 'items.read'],
    [`GET ${each}/xml/{name}`, 'items.read'],
    [`POST ${all}`, 'items.create'],
    [`POST ${each}/{event}`, 'items.change'],
    [`POST ${each}/hand-over`, 'items.change'],
    [`POST ${each}/webhook`, 'items.change'],
  ];
});

/**
 * What each route of the API does, by the names of permissions.ts. A route that is not here is closed to applications that
 * have a role: a test asks for a row for every route that takes a key.
 */
const OPERATION_OF: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(ofItems),

  'GET /api/degrees/batches': 'items.read',
  'GET /api/degrees/batches/{id}': 'items.read',
  'GET /api/degrees/batches/{id}/errors': 'items.read',
  'GET /api/degrees/batches/{id}/lines': 'items.read',
  'GET /api/restamps/{id}/token': 'items.read',
  'GET /api/history/{items}/{id}': 'items.read',
  'GET /api/registrars': 'items.read',
  'POST /api/degrees/batches': 'items.create',
  'POST /api/degrees/batches/uploads': 'items.create',
  // The document platform tells of signed files.
  'POST /api/degrees/webhook': 'items.change',

  'GET /api/subscriptions/{id}/institutes': 'institutes.read',
  'PUT /api/institutes/{id}/signers': 'institutes.change',

  'DELETE /api/subscriptions/{id}/members/{memberId}': 'members.change',
  'GET /api/subscriptions/{id}/members': 'members.read',
  'POST /api/subscriptions/{id}/members': 'members.change',
  'PUT /api/subscriptions/{id}/members/{memberId}': 'members.change',

  'GET /api/institutes/{id}/integrations': 'webhooks.read',
  'GET /api/subscriptions/{id}/integrations': 'webhooks.read',
  'POST /api/institutes/{id}/integrations': 'webhooks.change',
  'POST /api/subscriptions/{id}/integrations': 'webhooks.change',
};

export const { operationOf, mayCall } = routeOperations(permissions, OPERATION_OF);
