import type { Section } from './visit.ts';

/**
 * The sections by the first part of their paths. Each is loaded when it is visited: a cold start reads the code of one
 * section, and not of all.
 */
export const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  '': async () => (await import('./sections/home/home.ts')).home,
  jobs: async () => (await import('./sections/jobs/jobs.ts')).jobs,
  upload: async () => (await import('./sections/upload/upload.ts')).upload,
  folders: async () => (await import('./sections/folders/folders.ts')).folders,
  pipeline: async () => (await import('./sections/pipeline/pipeline.ts')).pipeline,
  events: async () => (await import('./sections/events/events.ts')).events,
  readiness: async () => (await import('./sections/readiness/readiness.ts')).readiness,
  metrics: async () => (await import('./sections/metrics/metrics.ts')).metrics,
  approvers: async () => (await import('./sections/approvers/approvers.ts')).approvers,
  profiles: async () => (await import('./sections/profiles/profiles.ts')).profiles,
  'new-profile': async () => (await import('./sections/profiles/profiles.ts')).profiles,
  cluster: async () => (await import('./sections/cluster/cluster.ts')).cluster,
  backups: async () => (await import('./sections/backups/backups.ts')).backups,
};
