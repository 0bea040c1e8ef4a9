import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { CreatedDocuments } from '../../contract/create-document.ts';
import type { UseTemplate, UseTemplateForMany } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import { dayOf } from '../calendar.ts';
import { createDocuments } from '../creating/create-documents.ts';
import { type CreateOptions, createGeneration, patternsOf } from './generation/create-generation.ts';
import type { Generation } from './generation/generation.ts';
import { columnsIn, fillPatterns } from './generation/patterns.ts';
import { findTemplate, type Template } from './template.ts';

/** Creates documents by a template, with these people in its roles. */
export async function createByTemplate(
  caller: Caller,
  id: string,
  { values, files, ...request }: UseTemplate,
  nowMs: number,
  { readPeople, ...filling }: CreateOptions,
): Promise<z.input<typeof CreatedDocuments>> {
  const template = await findTemplate(caller, id);
  const [missing] = columnsIn(template.content).filter((name) => !Object.hasOwn(values, name));
  if (missing !== undefined)
    throw errors.refuse('InvalidRequest', {
      field: 'values',
      reason: `has none for "${missing}", which the template names`,
    });
  const patterns = patternsOf(template.content, template.name);
  const { documentName, ...people } = readPeople(fillPatterns(patterns, values));
  const isNamed = template.content.documentName !== null;
  const named = files.map((file) =>
    isNamed ? { ...file, displayName: file.displayName ?? documentName } : file,
  );
  const envelope = { envelopeName: request.isEnvelope && isNamed ? documentName : null };
  const { language = null } = template.content;
  const fixed = { expirationDate: deadlineOf(template, nowMs), language, additionalInfo: null };
  return createDocuments(
    caller,
    { ...request, ...people, ...fixed, ...envelope, files: named },
    nowMs,
    filling,
  );
}

/** Begins to make a document of each line of a table, by a template. */
export async function generateByTemplate(
  caller: Caller,
  id: string,
  request: UseTemplateForMany,
  nowMs: number,
  options: CreateOptions,
): Promise<Stored<Generation>> {
  const template = await findTemplate(caller, id);
  const { expiresAfterDays: _, ...content } = template.content;
  const expirationDate = deadlineOf(template, nowMs);
  const { organizationId } = template;
  return createGeneration(caller, { ...content, ...request, expirationDate, organizationId }, nowMs, options);
}

const DAY_MS = 86_400_000;

export const deadlineOf = ({ content: { expiresAfterDays } }: Template, nowMs: number): string | null =>
  expiresAfterDays === null ? null : dayOf(nowMs + expiresAfterDays * DAY_MS);
