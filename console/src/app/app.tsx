// The console: its cache, its router, and what can appear above every page.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '#api/query-client.ts';
import { ToastArea } from '#ui/toast/toast-area.tsx';
import { router } from './router.ts';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastArea />
    </QueryClientProvider>
  );
}
