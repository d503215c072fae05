import { CallError } from '../call-error.js';

/** Whether a model's name means one that runs at ollama.com. */
export function isCloud(name: string): boolean {
  return /[:-]cloud$/u.test(name);
}

/** @throws CallError for a model that would send what it is told over the net. */
export function refuseCloud(name: string): void {
  if (!isCloud(name)) return;
  throw new CallError(
    'unfit',
    `${name} runs in a cloud, and nothing leaves this machine`,
    'name a model that is local',
  );
}

/** A name as the server lists it: with its tag. */
export function withTag(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
}
