/** The pages that a task serves to a browser, and what the browser sends back. */
import { createServer } from 'node:http';

/** `pages`: HTML by path; replaced for each task. `posts`: the body of each POST, in order. */
export async function serve(own) {
  const web = { url: '', pages: {}, posts: [] };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') web.posts.push(Buffer.concat(chunks).toString());
      const page = request.method === 'POST' ? '<title>Thanks</title><h1>Received</h1>' : web.pages[request.url];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(page === undefined ? '' : `<!doctype html><html lang="en">${page}</html>`);
    });
  });
  own(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  web.url = `http://127.0.0.1:${server.address().port}`;
  return web;
}
