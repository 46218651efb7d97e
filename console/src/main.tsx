// Starts the console in the page.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '#api/query-client.ts';
import { ToastArea } from '#ui/toast-area.tsx';
import { router } from './app/router.ts';
import './base.css';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastArea />
    </QueryClientProvider>
  );
}
