import { describe, expect, test } from 'vitest';
import { folderStates } from '../../../../../functions/documents/domain/places/folder.ts';
import { organizationStates } from '../../../../../functions/documents/domain/places/organization.ts';

describe('the states of an organization', () => {
  test('lead from Active over Deleting to Deleted, which is the end', () => {
    expect(organizationStates.next('Active', 'deleted')).toBe('Deleting');
    expect(organizationStates.next('Deleting', 'emptied')).toBe('Deleted');
    expect(organizationStates.states.filter(organizationStates.isTerminal)).toEqual(['Deleted']);
  });

  test('let it be deleted once, and be done with only when it was', () => {
    expect(organizationStates.accepts('Deleting', 'deleted')).toBe(false);
    expect(organizationStates.accepts('Active', 'emptied')).toBe(false);
  });
});

test('the states of a folder lead from Active to Deleting, which is the end', () => {
  expect(folderStates.next('Active', 'deleted')).toBe('Deleting');
  expect(folderStates.states.filter(folderStates.isTerminal)).toEqual(['Deleting', 'Emptying']);
});
