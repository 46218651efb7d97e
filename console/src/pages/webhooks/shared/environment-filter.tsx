// The environment, as a filter of a list.
import { environments } from '#messages/webhooks.ts';
import { FilterSelect, type ListState } from '#ui/table/list.tsx';

export const EnvironmentFilter = ({ state }: { state: ListState<'environment'> }) => (
  <FilterSelect state={state} name="environment" label="Environment" any="Both" options={environments} />
);
