# Toolscript's gateway. "npx -y deno@2.9.6 task package" makes the file that is copied.
FROM node:22-trixie-slim
COPY dist/toolscript-*.tgz /tmp/toolscript.tgz
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/toolscript.tgz \
  && rm -r /tmp/toolscript.tgz \
  && npm cache clean --force
# State is kept below HOME and in /tmp; the rest of the file system may be read-only.
RUN mkdir -p /home/node/.onetool /project && chown node:node /home/node/.onetool /project
ENV HOME=/home/node DENO_DIR=/tmp/deno TOOLSCRIPT_TRUST=all
USER node
WORKDIR /project
VOLUME /home/node/.onetool
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8765/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["toolscript"]
CMD ["gateway", "start", "--host", "0.0.0.0", "--port", "8765"]
